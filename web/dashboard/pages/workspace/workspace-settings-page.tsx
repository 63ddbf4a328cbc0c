import { Paper, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRights } from '../../access/rights.tsx'
import { queryKeys } from '../../api/query-keys.ts'
import { deleteWorkspace, type OperatorWorkspace, renameWorkspace, workspaceQuery } from '../../api/workspaces.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { DeletePanel } from '../../forms/delete-panel.tsx'
import { SubmitForm } from '../../forms/submit-form.tsx'
import { useFormat } from '../../i18n/format.ts'
import { paths, routeIds } from '../../navigation/paths.ts'
import { WorkspaceNameInput } from '../../publications/workspace-name-input.tsx'
import { WorkspaceLimits } from './workspace-limits.tsx'

/** Renames, limits and deletes a workspace. */
export function WorkspaceSettingsPage() {
  const { workspaceId } = useParams({ from: routeIds.workspace })
  const workspace = useQuery(workspaceQuery(workspaceId))
  const { canGovern } = useRights()
  return (
    <Loaded query={workspace}>
      {(found) => (
        <Stack maw={640} gap="lg">
          <WorkspaceRename workspace={found} />
          {canGovern && <WorkspaceLimits workspace={found} />}
          {canGovern && <WorkspaceDelete workspace={found} />}
        </Stack>
      )}
    </Loaded>
  )
}

function WorkspaceRename({ workspace }: { workspace: OperatorWorkspace }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: workspace.name },
    validate: { name: (name) => (name.trim() === '' ? t('field.nameMissing') : null) },
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
      <SubmitForm
        onSubmit={form.onSubmit(({ name }) => renaming.mutate(name.trim()))}
        submitting={renaming}
        submitLabel={t('action.save')}
      >
        <WorkspaceNameInput form={form} />
      </SubmitForm>
    </Paper>
  )
}

function WorkspaceDelete({ workspace }: { workspace: OperatorWorkspace }) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const navigate = useNavigate()
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
    <DeletePanel
      name={name}
      title={t('workspace.delete')}
      help={t('workspace.deleteHelp')}
      onDelete={() => deleting.mutate()}
      deleting={deleting}
    >
      {t('workspace.deleteCounts', {
        publications: t('workspaces.publications', { count, figure: format.count(count) }),
      })}
    </DeletePanel>
  )
}
