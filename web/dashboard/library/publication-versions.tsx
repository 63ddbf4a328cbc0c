import { Badge, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { aboutKey } from '../api/query-client.ts'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { Failure, Loaded, notify } from '../components/feedback.tsx'
import { ChooseFiles } from '../components/file-choice.tsx'
import { RowButton } from '../components/lists.tsx'
import { Panel } from '../components/panel.tsx'
import { isUnderWay, useTransfers } from '../components/transfer-queue.ts'
import {
  operatorGetPublicationOptions,
  operatorGetVersionChangesOptions,
  operatorListPublicationsQueryKey,
  operatorListVersionsOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import { operatorDeleteVersion, operatorPublishVersion } from '../generated/sdk.gen.ts'
import type { OperatorPublication, Version } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { pageList, UploadRow } from './upload-panel.tsx'
import { uploadQueue, useUploadLimitBytes } from './upload-queue.ts'

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

/** Replaces a publication's file and keeps everything else. */
export function FileReplace({ publication: { id, workspace } }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const limitBytes = useUploadLimitBytes()
  const uploads = useTransfers(uploadQueue).filter(
    ({ purpose }) => 'replacedId' in purpose && purpose.replacedId === id,
  )
  const isBusy = uploads.some(isUnderWay)
  const replace = ([file]: File[]) => {
    if (file === undefined) return
    for (const before of uploads) uploadQueue.remove(before.id)
    uploadQueue.add(workspace.id, file, { replacedId: id }, limitBytes)
  }
  return (
    <Panel title={t('replace.title')}>
      <Stack>
        <Group justify="space-between">
          <Text size="sm" c="dimmed" flex="1 1 280px">
            {t('replace.help')}
          </Text>
          {!isBusy && <ChooseFiles onFiles={replace} label={t('replace.choose')} isPrimary={false} single />}
        </Group>
        {uploads.length > 0 && (
          <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {uploads.map((upload) => (
              <UploadRow key={upload.id} upload={upload} />
            ))}
          </Stack>
        )}
      </Stack>
    </Panel>
  )
}
