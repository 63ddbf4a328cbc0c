import { foldText } from '../../../src/tracks/domain/search-text.ts'
import type { SharedTrack, TrackSummary } from '../../../src/tracks/schemas/track-summaries.ts'
import type { LiveTrack, LiveTracks } from './live-tracks.ts'

/** A track whose summary is known, not only its positions. */
export type KnownTrack<Track extends SharedTrack> = LiveTrack<Track> & { track: Track }

const ORDER = { running: 0, paused: 1, stopped: 2 } as const

/**
 * Lists the tracks whose title, `user_id` or `device_track_id` contains a text. Tracks in progress come first, then each
 * state by title, with numbers in numeric order. New positions never reorder the list.
 */
export function listTracks<Track extends SharedTrack>(
  { byId }: LiveTracks<Track>,
  text: string,
  language: string,
): KnownTrack<Track>[] {
  const wanted = foldText(text.trim())
  const { compare } = new Intl.Collator(language, { numeric: true })
  return [...byId.values()]
    .filter((entry): entry is KnownTrack<Track> => entry.track !== undefined)
    .filter(({ track }) => wanted === '' || foldText(`${track.title}\n${namesOf(track).join('\n')}`).includes(wanted))
    .sort(
      ({ track: a }, { track: b }) =>
        ORDER[a.state] - ORDER[b.state] || compare(a.title, b.title) || (a.id < b.id ? -1 : 1),
    )
}

/**
 * Returns the owner of a track, unless the title already names it: the user, or else the device's name for the track.
 * Undefined for spectators, who receive neither.
 */
export function ownerOf(track: SharedTrack): string | undefined {
  const owner = namesOf(track)[0]
  return owner === undefined || foldText(track.title).includes(foldText(owner)) ? undefined : owner
}

function namesOf(track: SharedTrack): string[] {
  const { user_id, device_track_id }: Partial<TrackSummary> = track
  return [user_id, device_track_id].filter((name) => name !== undefined && name !== null)
}
