import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { queryKeys } from '../../api/query-keys.ts'
import { deleteWorkspace, type OperatorWorkspace, renameWorkspace, workspaceQuery } from '../../api/workspaces.ts'
import { Failure } from '../../feedback/failure.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { useDialogWords } from '../../forms/use-dialog-words.ts'
import { useFormat } from '../../i18n/format.ts'
import { paths, routeIds } from '../../navigation/paths.ts'

/** Name and end of a workspace. */
export function WorkspaceSettingsPage() {
  const { workspaceId } = useParams({ from: routeIds.workspace })
  const workspace = useQuery(workspaceQuery(workspaceId))
  return (
    <Loaded query={workspace}>
      {(found) => (
        <Stack maw={640} gap="lg">
          <Renaming workspace={found} />
          <Deletion workspace={found} />
        </Stack>
      )}
    </Loaded>
  )
}

function Renaming({ workspace }: { workspace: OperatorWorkspace }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: workspace.name },
    validate: { name: (name) => (name.trim() === '' ? t('workspace.nameMissing') : null) },
  })
  const renaming = useMutation({
    mutationFn: (name: string) => renameWorkspace(workspace.id, name),
    onSuccess: async (renamed) => {
      client.setQueryData(workspaceQuery(workspace.id).queryKey, renamed)
      notify(t('action.saved'))
      await client.invalidateQueries({ queryKey: queryKeys.workspaces })
    },
  })
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <form onSubmit={form.onSubmit(({ name }) => renaming.mutate(name.trim()))} noValidate>
        <Stack>
          <TextInput
            label={t('workspace.name')}
            description={t('workspace.nameHelp')}
            required
            maxLength={200}
            autoComplete="off"
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          {renaming.isError && <Failure error={renaming.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={renaming.isPending}>
              {t('action.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}

function Deletion({ workspace }: { workspace: OperatorWorkspace }) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const navigate = useNavigate()
  const words = useDialogWords(t('workspace.delete'))
  const [opened, setOpened] = useState(false)
  const { id, name, publications_count: count } = workspace
  const deleting = useMutation({
    mutationFn: () => deleteWorkspace(id),
    onSuccess: async () => {
      await navigate({ to: paths.workspaces })
      client.removeQueries({ queryKey: queryKeys.workspace(id) })
      notify(t('workspace.deleted', { name }))
      await client.invalidateQueries({ queryKey: queryKeys.workspaces })
    },
  })
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {t('workspace.delete')}
      </Title>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 280px">
          {t('workspace.deleteHelp')}
        </Text>
        <Button color="red" variant="outline" onClick={() => setOpened(true)}>
          {t('event.deleteOpen')}
        </Button>
      </Group>
      <DeleteDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onConfirm={() => deleting.mutate()}
        busy={deleting.isPending}
        title={t('event.deleteThis', { name })}
        typedName={name}
        failure={deleting.isError && <Failure error={deleting.error} />}
        words={words}
      >
        {t('workspace.deleteCounts', {
          publications: t('workspaces.publications', { count, figure: format.count(count) }),
        })}
      </DeleteDialog>
    </Paper>
  )
}
