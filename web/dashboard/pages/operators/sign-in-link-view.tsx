import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/copy-button.tsx'
import type { SignInLink } from '../../api/operators.ts'
import { AddressWarning } from '../../components/address-warning.tsx'
import { useFormat } from '../../i18n/format.ts'

/** A link to pass on, which lets an operator set a password. */
export function SignInLinkView({ link, onDone }: { link: SignInLink; onDone(): void }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Stack>
      <Text>{t('operators.linkHelp', { time: format.dateTime(link.expires_at) })}</Text>
      <AddressWarning address={link.url} />
      <Code style={{ overflowWrap: 'anywhere' }}>{link.url}</Code>
      <Group justify="flex-end">
        <CopyButton value={link.url} label={t('operators.linkCopy')} copiedLabel={t('action.copied')} />
        <Button onClick={onDone}>{t('action.done')}</Button>
      </Group>
    </Stack>
  )
}
