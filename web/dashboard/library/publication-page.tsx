import { Alert, Anchor, Button, Paper, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { FolderDown, Info } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { offlineAddress } from '../api/addresses.ts'
import { aboutKey } from '../api/query-client.ts'
import { AddressWarning, Command, CopyField, OpenButton } from '../components/copy-fields.tsx'
import { Loaded } from '../components/feedback.tsx'
import { DeletePanel } from '../components/forms.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { QrPanel } from '../components/qr-panel.tsx'
import { useNotifyDeletion, usePublicationsUndoHint } from '../components/undo-deletion.ts'
import { operatorGetPublicationOptions, operatorListPagesOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorDeletePublication } from '../generated/sdk.gen.ts'
import type { OperatorPublication } from '../generated/types.gen.ts'
import { Facts, Findings } from './document-findings.tsx'
import { type EditedValues, PublicationEdit, valuesOf } from './publication-edit.tsx'
import { PublicationPreview } from './publication-preview.tsx'
import { isRendering } from './publication-state.tsx'
import { FileReplace, PublicationVersions } from './publication-versions.tsx'
import { PublicationVisibility, VisibilityFacts } from './publication-visibility.tsx'
import { ReaderLinks } from './reader-links.tsx'
import './publication-page.css'

/** A publication: a preview of its pages, and beside it all that can be said about it and changed. */
export function PublicationPage() {
  const { publicationId } = useParams({ from: routeIds.publication })
  const publication = useQuery(operatorGetPublicationOptions({ path: { id: publicationId } }))
  return <Loaded query={publication}>{(found) => <PublicationParts key={found.id} publication={found} />}</Loaded>
}

function PublicationParts({ publication }: { publication: OperatorPublication }) {
  const { canEdit } = useRights()
  const pages = useQuery({
    ...operatorListPagesOptions({ path: { id: publication.id } }),
    select: ({ pages }) => pages,
  })
  const [page, setPage] = useState(1)
  const [edited, setEdited] = useState<EditedValues>()
  const preview = useRef<HTMLElement>(null)
  const showPage = (shown: number) => {
    setPage(shown)
    preview.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div className="publication-page">
      <section ref={preview} className="publication-page-preview">
        <Loaded query={pages}>
          {(list) => (
            <PublicationPreview
              publication={publication}
              values={edited ?? valuesOf(publication)}
              pages={list}
              page={Math.min(page, list.length)}
              onPage={setPage}
            />
          )}
        </Loaded>
      </section>
      <Stack gap="lg" miw={0}>
        <Address publication={publication} />
        {canEdit && <PublicationEdit publication={publication} onEdited={setEdited} />}
        {canEdit && <PublicationVisibility publication={publication} />}
        {canEdit && <ReaderLinks publication={publication} />}
        <Findings publication={publication} onPage={showPage} />
        {canEdit && <FileReplace publication={publication} />}
        {canEdit && <PublicationVersions publication={publication} />}
        <Places publication={publication} />
        <Facts publication={publication} />
        {canEdit && <PublicationDelete publication={publication} />}
      </Stack>
    </div>
  )
}

/** The address of a publication, and whether it leads readers anywhere. */
function Address({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const { public_url: address, slug, former_slugs: former } = publication
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
      {!canEdit && <VisibilityFacts publication={publication} />}
      {former.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('sharing.former')} <FormerAddresses address={address} slug={slug} former={former} />
        </Text>
      )}
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

/** Other places that a publication gets to: pages that embed it, paper, and computers without a connection. */
function Places({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const { id, public_url: address, embed_html: embed, slug } = publication
  return (
    <>
      <Command label={t('sharing.embed')} command={embed} />
      <QrPanel address={address} label={t('sharing.qrLabel')} help={t('sharing.qrHelp')} fileName={slug} />
      {publication.status === 'ready' && !isRendering(publication) && <OfflineDownload id={id} />}
    </>
  )
}

/** Downloads a publication as a folder that browsers open without a server. */
function OfflineDownload({ id }: { id: string }) {
  const { t } = useTranslation()
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
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
    </Paper>
  )
}

/** Deletes a publication, into the bin if there is one. */
function PublicationDelete({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id, title, workspace } = publication
  const notifyDeletion = useNotifyDeletion('publication', workspace.id)
  const help = `${t('publication.deleteHelp')} ${usePublicationsUndoHint(workspace.id)}`
  return (
    <DeletePanel
      name={title}
      title={t('publication.delete')}
      help={help}
      typeLabel={t('publication.typeTitle')}
      action={() => operatorDeletePublication({ path: { id } })}
      onDone={async () => {
        await navigate({ to: paths.workspace, params: { workspaceId: workspace.id } })
        client.removeQueries({ queryKey: aboutKey(id) })
        const words = { deleted: t('publication.deleted', { title }), restored: t('bin.restored', { name: title }) }
        await notifyDeletion({ ids: [id], ...words })
        await client.invalidateQueries({ queryKey: aboutKey(workspace.id) })
      }}
    >
      {help}
    </DeletePanel>
  )
}
