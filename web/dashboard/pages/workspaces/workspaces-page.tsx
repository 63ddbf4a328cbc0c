import { Group, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LibraryBig, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { useRights } from '../../access/rights.tsx'
import { workspacesQuery } from '../../api/workspaces.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { WorkspaceCard } from './workspace-card.tsx'

/** All workspaces. */
export function WorkspacesPage() {
  const { t } = useTranslation()
  const { canGovern } = useRights()
  const workspaces = useQuery({ ...workspacesQuery, refetchInterval: 30_000 })
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('workspaces.title')} />
        {canGovern && <NewWorkspaceButton />}
      </Group>
      <Loaded query={workspaces}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon={LibraryBig} title={t('workspaces.empty')} action={canGovern && <NewWorkspaceButton />}>
              {t(canGovern ? 'workspaces.emptyHelp' : 'access.nothingYet')}
            </EmptyState>
          ) : (
            <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {list.map((workspace) => (
                <WorkspaceCard key={workspace.id} workspace={workspace} />
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
    </>
  )
}

function NewWorkspaceButton() {
  const { t } = useTranslation()
  return (
    <ButtonLink to={paths.newWorkspace} leftSection={<Plus size={16} aria-hidden />}>
      {t('workspaces.new')}
    </ButtonLink>
  )
}
