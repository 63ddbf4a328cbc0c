import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { aboutKey } from '../api/query-client.ts'
import { Loaded, notify } from '../components/feedback.tsx'
import { ChooseFiles } from '../components/file-choice.tsx'
import { DeletePanel } from '../components/forms.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { isUnderWay, useTransfers } from '../components/transfer-queue.ts'
import { operatorGetPublicationOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorDeletePublication } from '../generated/sdk.gen.ts'
import type { OperatorPublication } from '../generated/types.gen.ts'
import { PublicationEdit } from './publication-edit.tsx'
import { PublicationVisibility } from './publication-visibility.tsx'
import { ReaderLinks } from './reader-links.tsx'
import { UploadRow } from './upload-panel.tsx'
import { uploadQueue } from './upload-queue.ts'
import { useUploadLimitBytes } from './use-uploads.ts'

/** Edits a publication, replaces its file, and unpublishes or deletes it. */
export function PublicationSettingsPage() {
  const { publicationId } = useParams({ from: routeIds.publication })
  const publication = useQuery(operatorGetPublicationOptions({ path: { id: publicationId } }))
  return (
    <Loaded query={publication}>
      {(found) => (
        <Stack maw={640} gap="lg">
          <PublicationEdit publication={found} />
          <FileReplace publication={found} />
          <PublicationVisibility publication={found} />
          <ReaderLinks publication={found} />
          <PublicationDelete publication={found} />
        </Stack>
      )}
    </Loaded>
  )
}

/** Replaces a publication's file and keeps everything else. */
function FileReplace({ publication: { id, workspace } }: { publication: OperatorPublication }) {
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
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {t('replace.title')}
      </Title>
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
    </Paper>
  )
}

/** Deletes a publication for good. */
function PublicationDelete({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id, title, workspace } = publication
  return (
    <DeletePanel
      name={title}
      title={t('publication.delete')}
      help={t('publication.deleteHelp')}
      typeLabel={t('publication.typeTitle')}
      action={() => operatorDeletePublication({ path: { id } })}
      onDone={async () => {
        await navigate({ to: paths.workspace, params: { workspaceId: workspace.id } })
        client.removeQueries({ queryKey: aboutKey(id) })
        notify(t('publication.deleted', { title }))
        await client.invalidateQueries({ queryKey: aboutKey(workspace.id) })
      }}
    >
      {t('publication.deleteHelp')}
    </DeletePanel>
  )
}
