import { foldText } from '../../../src/tracks/domain/search-text.ts'
import type { SharedTrack, TrackSummary } from '../../../src/tracks/schemas/track-summaries.ts'
import type { LiveTrack, LiveTracks } from './live-tracks.ts'
import { labelOf, namesOf } from './runners/runner-names.ts'
import type { RunnerStatus } from './runners/runner-status.ts'

/** A track whose summary is known, not only its positions. */
export type KnownTrack<Track extends SharedTrack> = LiveTrack<Track> & { track: Track }

/** The tracks of an event that are shown. */
export type TrackFilter = 'all' | 'live' | 'finished'

/** Returns the filter that a track passes besides `all`. */
export function stageOf({ state }: Pick<SharedTrack, 'state'>): Exclude<TrackFilter, 'all'> {
  return state === 'stopped' ? 'finished' : 'live'
}

/** Those who may need help come first. */
const ORDER: Record<RunnerStatus, number> = { silent: 0, running: 1, paused: 2, stopped: 3 }

/**
 * Lists the tracks that pass a filter and of which a name contains a text: title, runner, bib, category, `user_id` or
 * `device_track_id`. Silent ones come first, then the others in progress, then each status by title, with numbers in
 * numeric order. New positions never reorder the list.
 */
export function listTracks<Track extends SharedTrack>(
  { byId }: LiveTracks<Track>,
  { text = '', filter = 'all', language }: { text?: string; filter?: TrackFilter; language: string },
): KnownTrack<Track>[] {
  const wanted = foldText(text.trim())
  const { compare } = new Intl.Collator(language, { numeric: true })
  return [...byId.values()]
    .filter((entry): entry is KnownTrack<Track> => entry.track !== undefined)
    .filter(({ track }) => filter === 'all' || stageOf(track) === filter)
    .filter(({ track }) => wanted === '' || searchedText(track).includes(wanted))
    .sort(
      (a, b) =>
        ORDER[a.status] - ORDER[b.status] ||
        compare(labelOf(a.track), labelOf(b.track)) ||
        (a.track.id < b.track.id ? -1 : 1),
    )
}

/** Returns the owner of a track, unless its name in the list already has it; undefined for spectators. */
export function ownerOf(track: SharedTrack): string | undefined {
  const { owner } = namesOf(track)
  return owner === undefined || foldText(labelOf(track)).includes(foldText(owner)) ? undefined : owner
}

function searchedText(track: SharedTrack): string {
  const { device_track_id }: Partial<TrackSummary> = track
  return foldText([track.title, ...Object.values(namesOf(track)), device_track_id].filter(Boolean).join('\n'))
}
