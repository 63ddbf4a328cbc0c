import type { ShareTab } from '../html/share-tab.ts'
import { singleTrack } from '../html/single-track.ts'
import { trackList } from '../html/track-list.ts'
import type { FindShownTracks } from '../shown-tracks/shown-tracks.ts'

type Deps = { findShownTracks: FindShownTracks }

/** Creates the first tab: the runners with their last positions, which the script replaces by the live map. */
export function mapTab({ findShownTracks }: Deps): ShareTab {
  return {
    name: 'map',
    path: '',
    isOffered: async () => true,
    async content(page) {
      const shown = await findShownTracks(page.share)
      return page.share.track_id === null ? trackList(page, shown) : singleTrack(page, shown)
    },
  }
}
