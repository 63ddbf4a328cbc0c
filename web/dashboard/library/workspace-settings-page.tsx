import { Paper, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { aboutKey } from '../api/query-client.ts'
import { Loaded, notify } from '../components/feedback.tsx'
import { DeletePanel, ResourceForm } from '../components/forms.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { operatorGetWorkspaceOptions, operatorListWorkspacesQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { operatorDeleteWorkspace, operatorUpdateWorkspace } from '../generated/sdk.gen.ts'
import type { OperatorWorkspace } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { useWorkspaceSaved, WorkspaceLimits, WorkspaceNameInput } from './workspace-fields.tsx'

/** Renames, limits and deletes a workspace. */
export function WorkspaceSettingsPage() {
  const { workspaceId } = useParams({ from: routeIds.workspace })
  const workspace = useQuery(operatorGetWorkspaceOptions({ path: { id: workspaceId } }))
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
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: workspace.name },
    validate: { name: (name) => (name.trim() === '' ? t('field.nameMissing') : null) },
  })
  const onSaved = useWorkspaceSaved()
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <ResourceForm
        form={form}
        save={({ name }) => operatorUpdateWorkspace({ path: { id: workspace.id }, body: { name: name.trim() } })}
        onSaved={onSaved}
        submitLabel={t('action.save')}
      >
        <WorkspaceNameInput form={form} />
      </ResourceForm>
    </Paper>
  )
}

function WorkspaceDelete({ workspace }: { workspace: OperatorWorkspace }) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id, name, publications_count: count } = workspace
  return (
    <DeletePanel
      name={name}
      title={t('workspace.delete')}
      help={t('workspace.deleteHelp')}
      action={() => operatorDeleteWorkspace({ path: { id } })}
      onDone={async () => {
        await navigate({ to: paths.workspaces })
        client.removeQueries({ queryKey: aboutKey(id) })
        notify(t('workspace.deleted', { name }))
        await client.invalidateQueries({ queryKey: operatorListWorkspacesQueryKey() })
      }}
    >
      {t('workspace.deleteCounts', {
        publications: t('workspaces.publications', { count, figure: format.count(count) }),
      })}
    </DeletePanel>
  )
}
