import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { aboutKey } from '../api/query-client.ts'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { Failure, Loaded, notify } from '../components/feedback.tsx'
import { RowButton } from '../components/lists.tsx'
import { Panel } from '../components/panel.tsx'
import {
  operatorGetPublicationOptions,
  operatorGetVersionChangesOptions,
  operatorListPublicationsQueryKey,
  operatorListVersionsOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import { operatorDeleteVersion, operatorPublishVersion } from '../generated/sdk.gen.ts'
import type { OperatorPublication, Version } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { type Upload, uploadQueue } from './upload-queue.ts'

/** Shows how an uploaded file differs from the one that it is to replace, and lets it replace that. */
export function ReplacementQuestion({ upload: { id, file, comparison } }: { upload: Upload }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (comparison === undefined) return null
  const { latest, upload, identical_version, resized } = comparison
  const pages = (count: number) => t('publication.pages', { count, figure: format.count(count) })
  const facts = [
    t('versions.pagesChange', { before: pages(latest.page_count), after: pages(upload.page_count) }),
    t('versions.sizeChange', { before: format.bytes(latest.size), after: format.bytes(upload.size) }),
    upload.file_title !== latest.file_title &&
      upload.file_title !== null &&
      t('versions.fileTitle', { title: upload.file_title }),
    resized.length > 0 && t('versions.resized', { count: resized.length, pages: pageList(resized) }),
    identical_version !== null && t('versions.identical', { number: identical_version }),
  ].filter((fact) => fact !== false)
  return (
    <Stack gap={6} role="group" aria-label={t('versions.question', { name: file.name })}>
      <Text size="sm" role="status">
        {t('versions.ask')}
      </Text>
      <ul style={{ margin: 0, paddingInlineStart: 18 }}>
        {facts.map((fact) => (
          <Text component="li" size="sm" key={fact} style={{ overflowWrap: 'anywhere' }}>
            {fact}
          </Text>
        ))}
      </ul>
      <Group gap="xs">
        <Button size="xs" onClick={() => uploadQueue.confirm(id)}>
          {t('versions.replace')}
        </Button>
        <Button size="xs" variant="default" onClick={() => uploadQueue.remove(id)}>
          {t('versions.keep')}
        </Button>
      </Group>
    </Stack>
  )
}

const MAX_NAMED_PAGES = 12

/** Names pages by number: all of a few, and the first of many. */
function pageList(pages: readonly number[]): string {
  const named = pages.slice(0, MAX_NAMED_PAGES).join(', ')
  return pages.length > MAX_NAMED_PAGES ? `${named}, …` : named
}

/** The former versions of a publication: compared with the latest, gone back to, and deleted. */
export function PublicationVersions({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { id, workspace, version } = publication
  const versions = useQuery({
    ...operatorListVersionsOptions({ path: { id } }),
    select: (answer) => answer.versions,
    enabled: version > 1,
  })
  const [deleted, askToDelete] = useState<Version>()
  const restoring = useMutation({
    mutationFn: (former: Version) => operatorPublishVersion({ path: { id, versionId: former.id } }),
    onSuccess: async (changed, former) => {
      client.setQueryData(operatorGetPublicationOptions({ path: { id } }).queryKey, changed)
      notify(t('versions.restored', { number: former.number }))
      await client.invalidateQueries({ queryKey: aboutKey(id) })
      await client.invalidateQueries({ queryKey: operatorListPublicationsQueryKey({ path: { id: workspace.id } }) })
    },
  })
  if (version === 1) return null
  return (
    <Panel title={t('versions.title')} help={t('versions.help')}>
      <Stack>
        {restoring.isError && <Failure error={restoring.error} />}
        <Loaded query={versions}>
          {(list) => (
            <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('versions.title')}>
              {list.map((one) => (
                <VersionRow
                  key={one.id}
                  version={one}
                  publicationId={id}
                  isBusy={restoring.isPending}
                  onRestore={() => restoring.mutate(one)}
                  onDelete={() => askToDelete(one)}
                />
              ))}
            </Stack>
          )}
        </Loaded>
      </Stack>
      {deleted !== undefined && (
        <ConfirmDialog
          onClose={() => askToDelete(undefined)}
          action={() => operatorDeleteVersion({ path: { id, versionId: deleted.id } })}
          doneMessage={t('versions.deleted', { number: deleted.number })}
          changes={[{ queryKey: aboutKey(id) }]}
          title={t('versions.deleteThis', { number: deleted.number })}
          confirmLabel={t('action.delete')}
        >
          {t('versions.deleteHelp')}
        </ConfirmDialog>
      )}
    </Panel>
  )
}

type VersionRowProps = {
  version: Version
  publicationId: string
  isBusy: boolean
  onRestore(): void
  onDelete(): void
}

function VersionRow({ version, publicationId, isBusy, onRestore, onDelete }: VersionRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { number, is_latest, page_count, size, created_at } = version
  const facts = [
    t('publication.pages', { count: page_count, figure: format.count(page_count) }),
    format.bytes(size),
    format.dateTime(created_at),
  ]
  return (
    <Group component="li" justify="space-between" gap="xs">
      <div style={{ flex: '1 1 260px', minWidth: 0 }}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {t('versions.number', { number })}
          </Text>
          {is_latest && (
            <Badge size="sm" variant="light">
              {t('versions.latest')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" className="figures">
          {facts.join(' · ')}
        </Text>
        {!is_latest && <Changes publicationId={publicationId} version={version} />}
      </div>
      {!is_latest && (
        <Group gap="xs" wrap="nowrap">
          <RowButton aria-label={t('versions.restoreThis', { number })} disabled={isBusy} onClick={onRestore}>
            {t('versions.restore')}
          </RowButton>
          <RowButton aria-label={t('versions.deleteThis', { number })} onClick={onDelete}>
            {t('action.delete')}
          </RowButton>
        </Group>
      )}
    </Group>
  )
}

/** Says which pages of a former version look different in the latest. */
function Changes({ publicationId, version }: { publicationId: string; version: Version }) {
  const { t } = useTranslation()
  const path = { id: publicationId, versionId: version.id }
  const changes = useQuery({
    ...operatorGetVersionChangesOptions({ path }),
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.pending.length > 0 ? 4_000 : false),
  }).data
  if (changes === undefined) return null
  const { changed, added, removed, pending } = changes
  const facts = [
    changed.length > 0 && t('versions.changed', { count: changed.length, pages: pageList(changed) }),
    added.length > 0 && t('versions.added', { count: added.length, pages: pageList(added) }),
    removed.length > 0 && t('versions.removed', { count: removed.length, pages: pageList(removed) }),
    pending.length > 0 && t('versions.pending'),
  ].filter((fact) => fact !== false)
  return (
    <Text size="xs" c="dimmed">
      {facts.length === 0 ? t('versions.same') : facts.join(' · ')}
    </Text>
  )
}
