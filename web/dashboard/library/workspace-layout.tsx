import { Breadcrumbs, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatchRoute, useParams } from '@tanstack/react-router'
import { KeyRound, LibraryBig, Settings, Store } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { NotAllowed, useRights } from '../access/rights.tsx'
import { AnchorLink, isForEditors, type Tab, TabLinks, useCurrentTab } from '../components/links.tsx'
import { LiveStatus } from '../components/live-status.tsx'
import { LoadedPage } from '../components/page-frames.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { operatorGetWorkspaceOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { OperatorWorkspace } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { useLiveLibrary } from './live-library.ts'

const TABS = [
  { to: paths.workspace, key: 'workspace.library', icon: LibraryBig },
  { to: paths.workspaceFace, key: 'workspace.face', icon: Store, isForEditors: true },
  { to: paths.workspacePrograms, key: 'workspace.programs', icon: KeyRound, isForEditors: true },
  { to: paths.workspaceSettings, key: 'workspace.settings', icon: Settings, isForEditors: true },
] as const satisfies readonly Tab[]

/** The frame of a workspace's pages: its name and the tabs. */
export function WorkspaceLayout() {
  const { workspaceId } = useParams({ from: routeIds.workspace })
  const workspace = useQuery(operatorGetWorkspaceOptions({ path: { id: workspaceId } }))
  return <LoadedPage query={workspace}>{(found) => <WorkspaceFrame workspace={found} />}</LoadedPage>
}

function WorkspaceFrame({ workspace }: { workspace: OperatorWorkspace }) {
  const { t } = useTranslation()
  const format = useFormat()
  const live = useLiveLibrary(workspace.id)
  const { canEdit } = useRights()
  const tab = useCurrentTab(TABS)
  const isBin = useMatchRoute()({ to: paths.workspaceBin }) !== false
  const { publications_count: count } = workspace
  return (
    <>
      <Stack gap={4}>
        <Breadcrumbs>
          <AnchorLink to={paths.workspaces} size="sm" activeOptions={{ exact: true }}>
            {t('nav.workspaces')}
          </AnchorLink>
        </Breadcrumbs>
        <PageTitle title={workspace.name} windowTitle={`${t(isBin ? 'bin.title' : tab.key)} · ${workspace.name}`} />
        <Group gap="md">
          <Text c="dimmed" size="sm" className="figures">
            {t('workspaces.publications', { count, figure: format.count(count) })}
            {' · '}
            {format.bytes(workspace.stored_bytes)}
          </Text>
          <LiveStatus state={live} liveLabel="live.upToDate" />
        </Group>
      </Stack>
      <TabLinks
        label={t('workspace.parts')}
        tabs={TABS.filter((one) => canEdit || !isForEditors(one))}
        params={{ workspaceId: workspace.id }}
      />
      {canEdit || !isForEditors(tab) ? <Outlet /> : <NotAllowed />}
    </>
  )
}
