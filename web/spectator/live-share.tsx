import { Group } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import { createPortal } from 'react-dom'
import { shareFrames } from '../dashboard/api/addresses.ts'
import { fetchEarly } from '../dashboard/api/early-answers.ts'
import { UnitsField } from '../dashboard/components/preferences.tsx'
import { listSharedTracks } from '../dashboard/generated/sdk.gen.ts'
import type { SharedTrack } from '../dashboard/generated/types.gen.ts'
import { EventStatus } from '../dashboard/live/event-status.tsx'
import { type LiveSnapshot, type LiveSource, useLiveTracks } from '../dashboard/live/live-store.ts'

/** Follows the tracks of a share. When it has ended, the page is loaded again: the server says why. */
export function useLiveShare(token: string): LiveSnapshot<SharedTrack> {
  const source = useMemo(() => sourceOf(token), [token])
  const live = useLiveTracks(source)
  useEffect(() => {
    if (live.state === 'ended') location.reload()
  }, [live.state])
  return live
}

function sourceOf(token: string): LiveSource<SharedTrack> {
  const list: LiveSource<SharedTrack>['list'] = (query, signal) => listSharedTracks({ path: { token }, query, signal })
  return { framesUrl: shareFrames(token), list, fetch: fetchEarly }
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
      <UnitsField />
    </Group>,
    place,
  )
}
