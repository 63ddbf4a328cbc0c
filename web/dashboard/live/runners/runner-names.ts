import type { SharedTrack, TrackSummary } from '../../../../src/tracks/schemas/track-summaries.ts'

/** A runner as the start list has them; absent where there is none. */
export type Listed = { bib?: string | null; runner_name?: string | null; category?: string | null }

/** The names of a runner: what spectators know, and what operators know besides. */
export type RunnerNames = {
  /** Name on the start list, or else the title of the track. */
  name: string
  bib: string | undefined
  category: string | undefined
  /** The user, or else the device's name for the track; undefined for spectators, who receive neither. */
  owner: string | undefined
  /** The user; undefined for spectators and for a track without one. */
  person: string | undefined
}

/** Returns the names of the runner of a track. */
export function namesOf(track: SharedTrack): RunnerNames {
  const { user_id, device_track_id, bib, runner_name, category }: Partial<TrackSummary> & Listed = track
  return {
    name: textOf(runner_name) ?? track.title,
    bib: textOf(bib),
    category: textOf(category),
    owner: textOf(user_id) ?? textOf(device_track_id),
    person: textOf(user_id),
  }
}

/** Returns the name with the bib before it, as a list shows it. */
export function labelOf(track: SharedTrack): string {
  const { name, bib } = namesOf(track)
  return bib === undefined || name.includes(bib) ? name : `${bib} · ${name}`
}

function textOf(value: string | null | undefined): string | undefined {
  return value === null || value === undefined || value === '' ? undefined : value
}
