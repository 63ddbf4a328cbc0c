import { useParams } from '@tanstack/react-router'
import { routeIds } from '../../navigation/paths.ts'
import { WebhooksPanel } from '../../webhooks/webhooks-panel.tsx'

/** The programs that are told of the changes of an event's tracks. */
export function EventWebhooksPage() {
  const { eventId } = useParams({ from: routeIds.event })
  return <WebhooksPanel owner={{ kind: 'event', id: eventId }} />
}
