import { Button, Stack } from '@mantine/core'
import { ExternalLink } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { AddressWarning } from '../components/address-warning.tsx'
import { Command } from '../components/command.tsx'
import { CopyField } from '../components/copy-field.tsx'
import { QrPanel } from '../components/qr-panel.tsx'
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
      <QrPanel address={url} label={t('shares.qr')} help={t('shares.qrHelp')} fileName={qrFileName(name)} />
      <Command label={t('sharing.embed')} command={embedCode(url, name)} />
    </Stack>
  )
}
