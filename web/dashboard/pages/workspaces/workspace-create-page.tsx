import { Button, Group, Paper, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { queryKeys } from '../../api/query-keys.ts'
import { createWorkspace } from '../../api/workspaces.ts'
import { Failure } from '../../feedback/failure.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { WorkspaceCreated } from './workspace-created.tsx'

/** A new workspace; what a program needs to publish to it appears in the place of the form. */
export function WorkspaceCreatePage() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? t('workspace.nameMissing') : null) },
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
        <form onSubmit={form.onSubmit(({ name }) => creating.mutate(name.trim()))} noValidate>
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
            {creating.isError && <Failure error={creating.error} />}
            <Group justify="flex-end">
              <ButtonLink variant="default" to={paths.workspaces}>
                {t('action.cancel')}
              </ButtonLink>
              <Button type="submit" loading={creating.isPending}>
                {t('workspace.create')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </>
  )
}
