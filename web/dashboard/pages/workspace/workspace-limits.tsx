import { Group, Paper, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../../api/query-keys.ts'
import { limitWorkspace, type OperatorWorkspace, workspaceQuery } from '../../api/workspaces.ts'
import { notify } from '../../feedback/notify.ts'
import { LimitInput, limitOf } from '../../forms/limit-input.tsx'
import { SubmitForm } from '../../forms/submit-form.tsx'
import { useFormat } from '../../i18n/format.ts'

const BYTES_PER_MB = 1_000_000

type Values = { maxMegabytes: number | string; maxPublications: number | string }

/** Edits the limits of a workspace, and shows how much of them is in use. */
export function WorkspaceLimits({ workspace }: { workspace: OperatorWorkspace }) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const { id, max_bytes, max_publications, stored_bytes, publications_count } = workspace
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: {
      maxMegabytes: max_bytes === null ? '' : Math.floor(max_bytes / BYTES_PER_MB),
      maxPublications: max_publications ?? '',
    },
  })
  const changing = useMutation({
    mutationFn: (values: Values) => {
      const megabytes = limitOf(values.maxMegabytes)
      return limitWorkspace(id, {
        max_bytes: megabytes === null ? null : megabytes * BYTES_PER_MB,
        max_publications: limitOf(values.maxPublications),
      })
    },
    onSuccess: async (changed) => {
      client.setQueryData(workspaceQuery(id).queryKey, changed)
      notify(t('action.saved'))
      await client.invalidateQueries({ queryKey: queryKeys.workspaces })
    },
  })
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <SubmitForm
        onSubmit={form.onSubmit((values) => changing.mutate(values))}
        submitting={changing}
        submitLabel={t('workspace.saveLimits')}
      >
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
      </SubmitForm>
    </Paper>
  )
}
