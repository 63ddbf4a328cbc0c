import { Box } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { SharedTrack } from '../../../src/tracks/operator-schemas.ts'
import { LiveList } from './live-list.tsx'
import { LiveMap } from './live-map.tsx'
import './live-view.css'
import type { Live } from './use-live-tracks.ts'

/** A live map and beside it, or below on a narrow screen, the same tracks in words. */
export function LiveView<Track extends SharedTrack>({
  live,
  more,
}: {
  live: Live<Track>
  more?(track: Track): ReactNode
}) {
  const [selectedId, setSelectedId] = useState<string>()
  return (
    <Box className="live-view">
      <LiveMap live={live} selectedId={selectedId} onSelect={setSelectedId} height="100%" />
      <LiveList live={live} selectedId={selectedId} onSelect={setSelectedId} more={more} />
    </Box>
  )
}
