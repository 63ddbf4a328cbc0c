import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { ExternalLink, Info } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { OperatorPublication } from '../../api/publications.ts'
import { AddressWarning } from '../../components/address-warning.tsx'
import { Command } from '../../components/command.tsx'
import { CopyField } from '../../components/copy-field.tsx'
import { QrPanel } from '../../components/qr-panel.tsx'

/** The ways to a publication: its address, its embed code and its QR code. */
export function Sharing({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const { public_url: address, embed_html: embed, slug, former_slugs: former } = publication
  const isPublic = publication.unpublished_at === null
  return (
    <Stack>
      {!isPublic && (
        <Alert color="gray" icon={<Info aria-hidden />}>
          {t('sharing.notPublic')}
        </Alert>
      )}
      {isPublic && <AddressWarning address={address} setting="PUBLIC_URL" />}
      <CopyField
        label={t('sharing.address')}
        value={address}
        actions={
          isPublic && (
            <Button
              component="a"
              href={address}
              target="_blank"
              rel="noopener"
              size="xs"
              variant="default"
              leftSection={<ExternalLink size={16} aria-hidden />}
            >
              {t('sharing.open')}
            </Button>
          )
        }
      />
      {former.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('sharing.former')} <FormerAddresses address={address} slug={slug} former={former} />
        </Text>
      )}
      <Command label={t('sharing.embed')} command={embed} />
      <QrPanel address={address} label={t('sharing.qrLabel')} help={t('sharing.qrHelp')} fileName={slug} />
    </Stack>
  )
}

type FormerAddressesProps = { address: string; slug: string; former: string[] }

function FormerAddresses({ address, slug, former }: FormerAddressesProps) {
  const start = address.slice(0, address.length - slug.length)
  return former.map((name, at) => (
    <span key={name}>
      {at > 0 && ', '}
      <Anchor href={start + name} target="_blank" rel="noopener" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Anchor>
    </span>
  ))
}
