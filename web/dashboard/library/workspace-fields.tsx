import { Group, Paper, TextInput, Title } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { notify } from '../components/feedback.tsx'
import { LimitInput, limitOf, ResourceForm } from '../components/forms.tsx'
import { operatorGetWorkspaceOptions, operatorListWorkspacesQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { operatorUpdateWorkspace } from '../generated/sdk.gen.ts'
import type { OperatorWorkspace } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

/** The input for a workspace's name, when creating and when renaming one. */
export function WorkspaceNameInput({ form }: { form: UseFormReturnType<{ name: string }> }) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('field.name')}
      description={t('workspace.nameHelp')}
      required
      maxLength={200}
      autoComplete="off"
      key={form.key('name')}
      {...form.getInputProps('name')}
    />
  )
}

/** Returns a function that shows a workspace as it was saved. */
export function useWorkspaceSaved() {
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
export function WorkspaceLimits({ workspace }: { workspace: OperatorWorkspace }) {
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
