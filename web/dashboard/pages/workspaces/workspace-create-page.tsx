import { Paper } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { queryKeys } from '../../api/query-keys.ts'
import { createWorkspace } from '../../api/workspaces.ts'
import { SubmitForm } from '../../forms/submit-form.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { WorkspaceNameInput } from '../../publications/workspace-name-input.tsx'
import { WorkspaceCreated } from './workspace-created.tsx'

/** Creates a workspace, and then shows its API key in place of the form. */
export function WorkspaceCreatePage() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? t('field.nameMissing') : null) },
  })
  const creating = useMutation({
    mutationFn: (name: string) => createWorkspace(name),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.workspaces }),
  })
  if (creating.data !== undefined) return <WorkspaceCreated workspace={creating.data} />
  return (
    <>
      <PageTitle title={t('workspaces.new')} />
      <Paper withBorder p="lg" maw={640} bg="var(--panel-background)">
        <SubmitForm
          onSubmit={form.onSubmit(({ name }) => creating.mutate(name.trim()))}
          submitting={creating}
          submitLabel={t('workspace.create')}
          cancel={
            <ButtonLink variant="default" to={paths.workspaces}>
              {t('action.cancel')}
            </ButtonLink>
          }
        >
          <WorkspaceNameInput form={form} />
        </SubmitForm>
      </Paper>
    </>
  )
}
