import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../components/copy-field.tsx'

/** Shows the secret of a webhook, for the only time. */
export function SecretHandover({ secret, onDone }: { secret: string; onDone(): void }) {
  const { t } = useTranslation()
  return (
    <Stack>
      <Text role="status">{t('webhooks.secretHelp')}</Text>
      <CopyField label={t('webhooks.secret')} value={secret} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('action.done')}</Button>
      </Group>
    </Stack>
  )
}
