import { SharedTrackView } from '../dashboard/tracks/shared-track.tsx'
import type { TabProps } from './share.ts'
import { Status } from './status.tsx'
import { useLiveShare } from './use-live-share.ts'

/** A shared track: its date and figures, its line on a map, its profile and splits, live while it is in progress. */
export function Tab({ share: { token, view }, onReady }: TabProps) {
  const live = useLiveShare(token)
  const track = live.tracks.byId.get(view.track_id!)?.track
  return (
    <>
      <Status live={live} isOver={track?.state === 'stopped' && live.state === 'live'} />
      {track !== undefined && <SharedTrackView token={token} track={track} onReady={onReady} />}
    </>
  )
}
