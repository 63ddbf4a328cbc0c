import { Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { routeIds } from '../components/paths.ts'
import { EventTokens } from '../credentials/event-tokens.tsx'
import { EventWebhooks } from '../webhooks/webhooks-panel.tsx'
import { TestTrack } from './test-track.tsx'

/** The means of programs to work with an event: its app tokens, its webhooks, and commands to try it. */
export function DevelopersPage() {
  const { eventId } = useParams({ from: routeIds.event })
  return (
    <Stack gap="xl">
      <EventTokens eventId={eventId} />
      <EventWebhooks eventId={eventId} />
      <TestTrack eventId={eventId} />
    </Stack>
  )
}
