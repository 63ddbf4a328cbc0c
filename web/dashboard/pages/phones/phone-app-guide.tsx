import { Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { QrCode } from '../../../ui/qr-code.tsx'
import { CopyField } from '../../components/copy-field.tsx'
import type { PhoneApp } from '../../events/phone-apps.ts'

/** Shows how to set one app up: the steps, the address, and the QR code or link that does it. */
export function PhoneAppGuide({ app }: { app: PhoneApp }) {
  const { t } = useTranslation()
  const { title, systems, address, setupLink, qrText, steps } = app
  return (
    <Group align="flex-start">
      <Stack flex="1 1 400px" miw={0}>
        <Paper withBorder p="md" bg="var(--panel-background)">
          <Title order={3} size="h4">
            {title}
          </Title>
          <Text size="sm" c="dimmed" mb="sm">
            {systems}
          </Text>
          <List type="ordered" spacing="xs">
            {steps.map((key) => (
              <List.Item key={key}>{t(key)}</List.Item>
            ))}
          </List>
        </Paper>
        <CopyField
          label={t('phones.address')}
          value={address}
          actions={
            setupLink !== undefined && (
              <Button
                component="a"
                href={setupLink}
                size="xs"
                variant="default"
                leftSection={<ExternalLink size={16} aria-hidden />}
              >
                {t('phones.openApp')}
              </Button>
            )
          }
        />
      </Stack>
      <Paper withBorder p="md" bg="var(--panel-background)" w={{ base: '100%', sm: 'auto' }}>
        <Stack align="center" maw={264} mx="auto">
          <QrCode text={qrText} label={t('phones.qr', { app: title })} sizePx={232} />
          <Text size="sm" c="dimmed" ta="center">
            {t(qrText === setupLink ? 'phones.qrLink' : 'phones.qrAddress')}
          </Text>
        </Stack>
      </Paper>
    </Group>
  )
}
