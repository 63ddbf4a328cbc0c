import { Button, Checkbox, Group, Paper, Radio, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { aboutKey } from '../api/query-client.ts'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { Failure, Loaded, notify } from '../components/feedback.tsx'
import { ChooseFiles } from '../components/file-choice.tsx'
import { DeletePanel } from '../components/forms.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { isUnderWay, useTransfers } from '../components/transfer-queue.ts'
import {
  operatorGetPublicationOptions,
  operatorListPublicationsQueryKey,
} from '../generated/@tanstack/react-query.gen.ts'
import {
  operatorDeletePublication,
  operatorPublishPublication,
  operatorUnpublishPublication,
  operatorUpdatePublication,
} from '../generated/sdk.gen.ts'
import type { OperatorPublication } from '../generated/types.gen.ts'
import { PublicationEdit } from './publication-edit.tsx'
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
          <Visibility publication={found} />
          <ReaderLinks publication={found} />
          <PublicationDelete publication={found} />
        </Stack>
      )}
    </Loaded>
  )
}

const HINTS = {
  draft: 'visibility.isDraft',
  visible: 'visibility.unpublishHint',
  unpublished: 'visibility.isNotPublic',
} as const

/** Says and changes who can read a publication, and unpublishes it or publishes it again. */
function Visibility({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [opened, setOpened] = useState(false)
  const { id, title, workspace } = publication
  const { visibility } = publication
  const changing = useMutation({
    mutationFn: (isPublished: boolean) =>
      (isPublished ? operatorPublishPublication : operatorUnpublishPublication)({ path: { id } }),
    onSuccess: async (changed, isPublished) => {
      client.setQueryData(operatorGetPublicationOptions({ path: { id } }).queryKey, changed)
      const published = visibility === 'draft' ? 'visibility.publishedDraft' : 'visibility.published'
      notify(t(isPublished ? published : 'visibility.unpublished', { title }))
      await client.invalidateQueries({ queryKey: operatorListPublicationsQueryKey({ path: { id: workspace.id } }) })
    },
  })
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {t('visibility.title')}
      </Title>
      <AccessChoice publication={publication} />
      <DownloadChoice publication={publication} />
      <Group justify="space-between" mt="lg">
        <Text size="sm" c="dimmed" flex="1 1 280px">
          {t(HINTS[visibility])}
        </Text>
        {visibility === 'visible' ? (
          <Button variant="default" onClick={() => setOpened(true)}>
            {t('visibility.unpublishOpen')}
          </Button>
        ) : (
          <Button loading={changing.isPending} onClick={() => changing.mutate(true)}>
            {t(visibility === 'draft' ? 'visibility.publishDraft' : 'visibility.publish')}
          </Button>
        )}
      </Group>
      {visibility !== 'visible' && changing.isError && <Failure error={changing.error} />}
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        action={() => changing.mutateAsync(false)}
        title={t('visibility.unpublishThis', { title })}
        confirmLabel={t('visibility.unpublish')}
      >
        {t('visibility.unpublishHelp')}
      </ConfirmDialog>
    </Paper>
  )
}

const ACCESSES = ['public', 'unlisted', 'restricted'] as const

/** Chooses who can read a publication; a choice takes effect at once. */
function AccessChoice({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { id, workspace, access } = publication
  const [chosen, choose] = useState<OperatorPublication['access']>()
  const changing = useMutation({
    mutationFn: (next: OperatorPublication['access']) =>
      operatorUpdatePublication({ path: { id }, body: { access: next } }),
    onSettled: () => choose(undefined),
    onSuccess: async (changed) => {
      client.setQueryData(operatorGetPublicationOptions({ path: { id } }).queryKey, changed)
      notify(t('action.saved'))
      await client.invalidateQueries({ queryKey: operatorListPublicationsQueryKey({ path: { id: workspace.id } }) })
    },
  })
  return (
    <>
      <Radio.Group
        label={t('visibility.access')}
        description={t('visibility.accessHelp')}
        value={chosen ?? access}
        onChange={(value) => {
          const next = ACCESSES.find((one) => one === value)
          if (next === undefined || next === access || changing.isPending) return
          choose(next)
          changing.mutate(next)
        }}
      >
        <Stack gap="xs" mt="xs">
          {ACCESSES.map((one) => (
            <Radio key={one} value={one} label={t(`publication.${one}`)} description={t(`visibility.${one}Help`)} />
          ))}
        </Stack>
      </Radio.Group>
      {changing.isError && <Failure error={changing.error} />}
    </>
  )
}

/** Chooses whether readers get the PDF; a choice takes effect at once. */
function DownloadChoice({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { id, allow_download } = publication
  const [chosen, choose] = useState<boolean>()
  const changing = useMutation({
    mutationFn: (next: boolean) => operatorUpdatePublication({ path: { id }, body: { allow_download: next } }),
    onSuccess: (changed) => {
      client.setQueryData(operatorGetPublicationOptions({ path: { id } }).queryKey, changed)
      notify(t('action.saved'))
    },
    onSettled: () => choose(undefined),
  })
  return (
    <>
      <Checkbox
        mt="md"
        label={t('visibility.allowDownload')}
        description={t('visibility.allowDownloadHelp')}
        checked={chosen ?? allow_download}
        onChange={({ currentTarget }) => {
          if (changing.isPending) return
          choose(currentTarget.checked)
          changing.mutate(currentTarget.checked)
        }}
      />
      {changing.isError && <Failure error={changing.error} />}
    </>
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
