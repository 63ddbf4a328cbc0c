import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { QrCode, QrDownloads } from '../../ui/qr-code.tsx'

/** `label` describes the code to people who do not see it. */
type QrPanelProps = { address: string; label: string; help: string; fileName: string }

/** Shows the QR code of an address, and offers it as files to print. */
export function QrPanel({ address, label, help, fileName }: QrPanelProps) {
  const { t } = useTranslation()
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
      <Title order={2} size="h5" mb="xs">
        {t('sharing.qr')}
      </Title>
      <Group align="flex-start">
        <QrCode text={address} label={label} sizePx={160} />
        <Stack gap="xs" flex="1 1 200px">
          <Text size="sm" c="dimmed">
            {help}
          </Text>
          <QrDownloads
            text={address}
            fileName={fileName}
            words={{ png: t('sharing.qrPng'), svg: t('sharing.qrSvg') }}
          />
        </Stack>
      </Group>
    </Paper>
  )
}
