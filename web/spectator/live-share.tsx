import { Group } from '@mantine/core'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { shareStream } from '../dashboard/api/addresses.ts'
import { UnitsMenu } from '../dashboard/components/preferences.tsx'
import type { SharedTrack } from '../dashboard/generated/types.gen.ts'
import { EventStatus } from '../dashboard/live/event-status.tsx'
import { type LiveSnapshot, useLiveTracks } from '../dashboard/live/live-store.ts'

/** Statuses of a share that has ended or does not exist. */
const OVER = [404, 410]

/** Follows the tracks of a share. When it has ended, the page is loaded again: the server says why. */
export function useLiveShare(token: string): LiveSnapshot<SharedTrack> {
  const live = useLiveTracks<SharedTrack>(shareStream(token))
  useEffect(() => {
    if (live.state === 'ended') location.reload()
    // A stream does not tell why it was refused.
    if (live.state === 'closed') void reloadIfOver(token)
  }, [live.state, token])
  return live
}

async function reloadIfOver(token: string): Promise<void> {
  try {
    const { status } = await fetch(`/shares/${encodeURIComponent(token)}`)
    if (OVER.includes(status)) location.reload()
  } catch {
    // The stream tries again, and so does this.
  }
}

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
