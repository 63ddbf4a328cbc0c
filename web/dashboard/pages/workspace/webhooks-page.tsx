import { useParams } from '@tanstack/react-router'
import { routeIds } from '../../navigation/paths.ts'
import { WebhooksPanel } from '../../webhooks/webhooks-panel.tsx'

/** The programs that are told of the changes of a workspace's publications. */
export function WorkspaceWebhooksPage() {
  const { workspaceId } = useParams({ from: routeIds.workspace })
  return <WebhooksPanel owner={{ kind: 'workspace', id: workspaceId }} />
}
