import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import type { CreatedWorkspace } from '../../api/workspaces.ts'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { KeyHandover } from '../../publications/key-handover.tsx'

/** The next steps after a workspace has been created. */
export function WorkspaceCreated({ workspace }: { workspace: CreatedWorkspace }) {
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
      <KeyHandover apiKey={workspace.api_key} />
    </>
  )
}
