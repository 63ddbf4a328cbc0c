import { Group, Paper, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { NameInput, nameRule, ResourceForm } from '../components/forms.tsx'
import { ButtonLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import { Handover } from '../credentials/handover.tsx'
import { operatorListWorkspacesQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateWorkspace } from '../generated/sdk.gen.ts'
import type { OperatorCreateWorkspaceResponse } from '../generated/types.gen.ts'

/** Creates a workspace, and then shows its API key in place of the form. */
export function WorkspaceCreatePage() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '' },
    validate: { name: nameRule(t) },
  })
  const [created, setCreated] = useState<OperatorCreateWorkspaceResponse>()
  if (created !== undefined) return <WorkspaceCreated workspace={created} />
  return (
    <>
      <PageTitle title={t('workspaces.new')} />
      <Paper withBorder p="lg" maw={640} bg="var(--panel-background)">
        <ResourceForm
          form={form}
          save={({ name }) => operatorCreateWorkspace({ body: { name: name.trim() } })}
          onSaved={(workspace) => {
            setCreated(workspace)
            return client.invalidateQueries({ queryKey: operatorListWorkspacesQueryKey() })
          }}
          submitLabel={t('workspace.create')}
          cancel={
            <ButtonLink variant="default" to={paths.workspaces} ignoreBlocker>
              {t('action.cancel')}
            </ButtonLink>
          }
        >
          <NameInput form={form} description={t('workspace.nameHelp')} />
        </ResourceForm>
      </Paper>
    </>
  )
}

/** The next steps after a workspace has been created. */
function WorkspaceCreated({ workspace }: { workspace: OperatorCreateWorkspaceResponse }) {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle title={t('workspace.created', { name: workspace.name })} />
      <Text>{t('workspace.createdHelp')}</Text>
      <Group>
        <ButtonLink to={paths.workspace} params={{ workspaceId: workspace.id }}>
          {t('workspace.toLibrary')}
        </ButtonLink>
      </Group>
      <Handover kind="keys" secret={workspace.api_key} />
    </>
  )
}
