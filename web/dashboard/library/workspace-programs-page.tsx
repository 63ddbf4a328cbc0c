import { Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { routeIds } from '../components/paths.ts'
import { WorkspaceKeys } from '../credentials/workspace-keys.tsx'
import { WorkspaceWebhooks } from '../webhooks/webhooks-panel.tsx'

/** The means of programs to publish to a workspace and to be told of its publications: keys, commands and webhooks. */
export function WorkspaceProgramsPage() {
  const { workspaceId } = useParams({ from: routeIds.workspace })
  return (
    <Stack gap="xl">
      <WorkspaceKeys workspaceId={workspaceId} />
      <WorkspaceWebhooks workspaceId={workspaceId} />
    </Stack>
  )
}
