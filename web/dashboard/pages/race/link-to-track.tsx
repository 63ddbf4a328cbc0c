import type { ReactNode } from 'react'
import type { RankingEntry } from '../../api/races.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'

/** Renders the name of a runner as a link to the track, if there is one. */
export function linkToTrack({ name, track_id }: RankingEntry): ReactNode {
  if (track_id === null) return name
  return (
    <AnchorLink to={paths.track} params={{ trackId: track_id }} size="sm">
      {name}
    </AnchorLink>
  )
}
