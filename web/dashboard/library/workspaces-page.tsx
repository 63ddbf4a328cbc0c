import { Badge, Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LibraryBig, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState, PageTitle } from '../../ui/titles.tsx'
import { useRights } from '../access/rights.tsx'
import { Loaded } from '../components/feedback.tsx'
import { AnchorLink, ButtonLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import { operatorListWorkspacesOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { OperatorWorkspace } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

/** All workspaces. */
export function WorkspacesPage() {
  const { t } = useTranslation()
  const { canGovern } = useRights()
  const workspaces = useQuery({
    ...operatorListWorkspacesOptions(),
    select: ({ workspaces }) => workspaces,
    refetchInterval: 30_000,
  })
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

/** A workspace in the list, with its size and current activity. */
function WorkspaceCard({ workspace }: { workspace: OperatorWorkspace }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, name, publications_count: count, processing_count: processing, stored_bytes: bytes } = workspace
  return (
    <Paper component="li" withBorder p="md" bg="var(--panel-background)">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <AnchorLink to={paths.workspace} params={{ workspaceId: id }} fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </AnchorLink>
        {processing > 0 && (
          <Badge variant="filled" color="cyan.9" style={{ flexShrink: 0 }}>
            {t('workspaces.processing', { count: processing, figure: format.count(processing) })}
          </Badge>
        )}
      </Group>
      <Text size="sm" className="figures" mt="xs">
        {t('workspaces.publications', { count, figure: format.count(count) })}
        {' · '}
        {format.bytes(bytes)}
      </Text>
      <Text size="sm" c="dimmed">
        {t('workspaces.since', { date: format.date(workspace.created_at) })}
      </Text>
    </Paper>
  )
}
