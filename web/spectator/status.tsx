import { Group } from '@mantine/core'
import { createPortal } from 'react-dom'
import type { SharedTrack } from '../dashboard/api/shares.ts'
import { EventStatus } from '../dashboard/live/event-status.tsx'
import type { LiveSnapshot } from '../dashboard/live/live-store.ts'
import { UnitsMenu } from '../dashboard/shell/preferences.tsx'

type StatusProps = {
  live: LiveSnapshot<SharedTrack>
  /** True for a finished track, of which nothing is live. */
  isOver?: boolean
}

/** The state of the live connection and the choice of units, in the header of the page. */
export function Status({ live, isOver = false }: StatusProps) {
  const place = document.getElementById('status')
  if (place === null) return null
  return createPortal(
    <Group gap="xs" wrap="nowrap">
      {!isOver && <EventStatus live={live} />}
      <UnitsMenu />
    </Group>,
    place,
  )
}
