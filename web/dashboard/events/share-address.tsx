import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { QrCode } from '../../ui/qr-code.tsx'
import { QrDownloads } from '../../ui/qr-downloads.tsx'
import { AddressWarning } from '../components/address-warning.tsx'
import { Command } from '../components/command.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { embedCode, qrFileName } from './embed-code.ts'

/** The ways to a share: its link, its QR code and the code that shows it on another site. */
export function ShareAddress({ url, name }: { url: string; name: string }) {
  const { t } = useTranslation()
  return (
    <Stack>
      <AddressWarning address={url} />
      <CopyField
        label={t('shares.link')}
        value={url}
        actions={
          <Button
            component="a"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            size="xs"
            variant="default"
            leftSection={<ExternalLink size={16} aria-hidden />}
          >
            {t('sharing.open')}
          </Button>
        }
      />
      <Paper withBorder p="md" bg="var(--panel-background)">
        <Title order={2} size="h5" mb="xs">
          {t('sharing.qr')}
        </Title>
        <Group align="flex-start">
          <QrCode text={url} label={t('shares.qr')} sizePx={160} />
          <Stack gap="xs" flex="1 1 180px">
            <Text size="sm" c="dimmed">
              {t('shares.qrHelp')}
            </Text>
            <QrDownloads
              text={url}
              fileName={qrFileName(name)}
              words={{ png: t('sharing.qrPng'), svg: t('sharing.qrSvg') }}
            />
          </Stack>
        </Group>
      </Paper>
      <Command label={t('sharing.embed')} command={embedCode(url, name)} />
    </Stack>
  )
}
