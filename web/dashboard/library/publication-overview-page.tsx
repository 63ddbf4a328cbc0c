import { Alert, Anchor, Button, Grid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { FolderDown, Info } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { offlineAddress } from '../api/addresses.ts'
import { AddressWarning, Command, CopyField, OpenButton } from '../components/copy-fields.tsx'
import { Loaded } from '../components/feedback.tsx'
import { routeIds } from '../components/paths.ts'
import { QrPanel } from '../components/qr-panel.tsx'
import { operatorGetPublicationOptions, operatorListPagesOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { OperatorPublication } from '../generated/types.gen.ts'
import { Facts, Findings } from './document-findings.tsx'
import { PagePreview, PageStrip } from './page-images.tsx'
import { isRendering } from './publication-state.tsx'
import { VisibilityFacts } from './publication-visibility.tsx'

/** The pages of a publication, its addresses, and the facts about its file. */
export function PublicationOverviewPage() {
  const { publicationId } = useParams({ from: routeIds.publication })
  const publication = useQuery(operatorGetPublicationOptions({ path: { id: publicationId } }))
  const pages = useQuery({ ...operatorListPagesOptions({ path: { id: publicationId } }), select: ({ pages }) => pages })
  const [shownPage, setShownPage] = useState<number>()
  return (
    <>
      <Loaded query={pages}>
        {(list) => (
          <>
            <PageStrip pages={list} onPage={setShownPage} />
            <PagePreview pages={list} page={shownPage} onPage={setShownPage} />
          </>
        )}
      </Loaded>
      <Loaded query={publication}>
        {(found) => (
          <Grid>
            <Grid.Col span={{ base: 12, lg: 7 }}>
              <Sharing publication={found} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Stack>
                <Findings publication={found} onPage={setShownPage} />
                <Facts publication={found} />
              </Stack>
            </Grid.Col>
          </Grid>
        )}
      </Loaded>
    </>
  )
}

/** The ways to a publication: its address, its embed code and its QR code. */
function Sharing({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const { public_url: address, embed_html: embed, slug, former_slugs: former } = publication
  const isRestricted = publication.access === 'restricted'
  const isPublic = publication.visibility === 'visible' && !isRestricted
  return (
    <Stack>
      {!isPublic && (
        <Alert color="gray" icon={<Info aria-hidden />}>
          {t(
            publication.visibility === 'draft'
              ? 'sharing.draft'
              : publication.visibility === 'scheduled'
                ? 'sharing.scheduled'
                : isRestricted && publication.visibility === 'visible'
                  ? 'sharing.restricted'
                  : 'sharing.notPublic',
          )}
        </Alert>
      )}
      {isPublic && <AddressWarning address={address} setting="PUBLIC_URL" />}
      <CopyField label={t('sharing.address')} value={address} actions={isPublic && <OpenButton href={address} />} />
      <VisibilityFacts publication={publication} />
      {former.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('sharing.former')} <FormerAddresses address={address} slug={slug} former={former} />
        </Text>
      )}
      <Command label={t('sharing.embed')} command={embed} />
      <QrPanel address={address} label={t('sharing.qrLabel')} help={t('sharing.qrHelp')} fileName={slug} />
      {publication.status === 'ready' && !isRendering(publication) && <OfflineDownload id={publication.id} />}
    </Stack>
  )
}

/** Downloads a publication as a folder that browsers open without a server. */
function OfflineDownload({ id }: { id: string }) {
  const { t } = useTranslation()
  return (
    <div>
      <Button
        component="a"
        href={offlineAddress(id)}
        download
        variant="default"
        leftSection={<FolderDown size={16} aria-hidden />}
      >
        {t('sharing.offline')}
      </Button>
      <Text size="sm" c="dimmed" mt={4}>
        {t('sharing.offlineHelp')}
      </Text>
    </div>
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
