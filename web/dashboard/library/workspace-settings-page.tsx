import { Group, Paper, Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { aboutKey } from '../api/query-client.ts'
import { Loaded, notify } from '../components/feedback.tsx'
import { DeletePanel, LimitInput, limitOf, NameInput, nameRule, ResourceForm } from '../components/forms.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { operatorGetWorkspaceOptions, operatorListWorkspacesQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { operatorDeleteWorkspace, operatorUpdateWorkspace } from '../generated/sdk.gen.ts'
import type { OperatorWorkspace } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

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
    validate: { name: nameRule(t) },
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
        <NameInput form={form} description={t('workspace.nameHelp')} />
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

/** Returns a function that shows a workspace as it was saved. */
function useWorkspaceSaved() {
  const { t } = useTranslation()
  const client = useQueryClient()
  return async (saved: OperatorWorkspace) => {
    client.setQueryData(operatorGetWorkspaceOptions({ path: { id: saved.id } }).queryKey, saved)
    notify(t('action.saved'))
    await client.invalidateQueries({ queryKey: operatorListWorkspacesQueryKey() })
  }
}

const BYTES_PER_MB = 1_000_000

type Values = { maxMegabytes: number | string; maxPublications: number | string }

/** Edits the limits of a workspace, and shows how much of them is in use. */
function WorkspaceLimits({ workspace }: { workspace: OperatorWorkspace }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, max_bytes, max_publications, stored_bytes, publications_count } = workspace
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: {
      maxMegabytes: max_bytes === null ? '' : Math.floor(max_bytes / BYTES_PER_MB),
      maxPublications: max_publications ?? '',
    },
  })
  const onSaved = useWorkspaceSaved()
  const save = (values: Values) => {
    const megabytes = limitOf(values.maxMegabytes)
    const max_bytes = megabytes === null ? null : megabytes * BYTES_PER_MB
    return operatorUpdateWorkspace({
      path: { id },
      body: { max_bytes, max_publications: limitOf(values.maxPublications) },
    })
  }
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <ResourceForm form={form} save={save} onSaved={onSaved} submitLabel={t('workspace.saveLimits')}>
        <Title order={2}>{t('event.limits')}</Title>
        <Group grow align="flex-start">
          <LimitInput
            form={form}
            name="maxMegabytes"
            label={t('workspace.maxMegabytes')}
            current={format.bytes(stored_bytes)}
          />
          <LimitInput
            form={form}
            name="maxPublications"
            label={t('workspace.maxPublications')}
            current={format.count(publications_count)}
          />
        </Group>
      </ResourceForm>
    </Paper>
  )
}
