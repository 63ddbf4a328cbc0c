import type { SharedTrack, TrackSummary } from '../../../src/tracks/api/operator-track-schemas.ts'
import { runnerName } from '../../../src/tracks/model/runner-names.ts'
import { titleIn } from '../../../src/tracks/model/titles.ts'
import type { RankingEntry } from '../../../src/tracks/race/result-schemas.ts'
import { type RunnerState, runnerState } from '../../../src/tracks/race/runner-state.ts'
import { isAstray } from '../race/entry-words.ts'

/** A runner as the start list has them; absent where there is none. */
export type Listed = {
  bib?: string | null
  runner_name?: string | null
  category?: string | null
  /** Place in the race, as far as it is one; absent where there is no race. */
  race?: RaceFacts
}

/** Facts that the race has of a runner: `gap_sec` behind the first, `off_course_m` from the course, null on it. */
export type RaceFacts = Pick<
  RankingEntry,
  'state' | 'status' | 'gap_sec' | 'net_sec' | 'finish_sec' | 'off_course_m'
> & {
  /** False for a track of nobody on the start list, such as one of another day that was imported. */
  isRunner: boolean
}

/** The names of a runner: for spectators, and further ones for operators. */
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
    name: textOf(runner_name) ?? track.name,
    bib: textOf(bib),
    category: textOf(category),
    owner: textOf(user_id) ?? textOf(device_track_id),
    person: textOf(user_id),
  }
}

/** Returns the name of the runner as every page shows it; the title of a track that the start list does not have. */
export function labelOf(track: SharedTrack, language: string): string {
  const { name, bib } = namesOf(track)
  return bib === undefined ? titleIn(language, name, track.start_ts) : runnerName({ bib, name })
}

function textOf(value: string | null | undefined): string | undefined {
  return value === null || value === undefined || value === '' ? undefined : value
}

/**
 * The state of a runner on a live map. `silent` is in progress by what is known, but has not been heard of for long;
 * `astray` is off the course; `ended` has left the race, or stopped the recording before its finish.
 */
export type RunnerStatus = RunnerState | 'silent' | 'astray'

/** A point may be this far ahead of the server's clock: the clocks of phones are not exact. */
const MAX_AHEAD_MS = 5 * 60_000

/**
 * Returns when a track was last heard of, never later than `nowMs`, by the server's clock. `lastTimeMs` is the time of
 * the last position on the map. Where the clock of a phone is wrong by years, the time of the latest change counts.
 */
export function heardMs(track: SharedTrack, lastTimeMs: number, nowMs: number): number {
  const pointMs = Math.max(lastTimeMs, Date.parse(track.last_point_at ?? track.start_ts))
  if (pointMs <= nowMs + MAX_AHEAD_MS) return Math.min(pointMs, nowMs)
  const changedMs = Date.parse(track.updated_at)
  return Number.isNaN(changedMs) ? nowMs : Math.min(changedMs, nowMs)
}

/**
 * Returns the status of a track that was last heard of at a time. A paused track does not send, and is not silent.
 * In a race, those who have arrived have finished, whatever their phones do, and no other runner has; those who have
 * left it are neither silent nor astray.
 */
export function statusOf(
  { state, race }: Pick<SharedTrack, 'state'> & Listed,
  heardAtMs: number,
  nowMs: number,
  noSignalAfterSec: number,
): RunnerStatus {
  const known = runnerState(state, race)
  if (known !== state) return known
  if (known === 'running' && nowMs - heardAtMs > noSignalAfterSec * 1000) return 'silent'
  return isAstray(race) ? 'astray' : known
}

/** The property of a runner that the colours on a live map tell apart. */
export type ColourBy = 'status' | 'runner' | 'person' | 'category'

/** The colours of statuses. They have to be told apart on light and dark maps, and silence has none. */
const STATUS_COLOURS: Record<RunnerStatus, string> = {
  running: '#0ca678',
  paused: '#f08c00',
  silent: '#868e96',
  astray: '#e03131',
  stopped: '#4263eb',
  ended: '#495057',
}

/** Twelve colours that are far apart (after Paul Tol's and Kelly's sets) and visible on light and dark maps. */
const PALETTE = [
  '#e6194b',
  '#3cb44b',
  '#4363d8',
  '#f58231',
  '#911eb4',
  '#17a2b8',
  '#f032e6',
  '#9a6324',
  '#808000',
  '#e67700',
  '#469990',
  '#d6336c',
] as const

/** A grouping of runners that the colours can show; a new one is an entry here, with its text. */
const GROUPS: Record<Exclude<ColourBy, 'status'>, (track: SharedTrack) => string | undefined> = {
  runner: ({ id }) => id,
  person: (track) => namesOf(track).person,
  category: (track) => namesOf(track).category,
}

/** Returns the colour of a runner. Silence is grey in every grouping, and so is a runner of no group; astray is red. */
type ColourOf = (track: SharedTrack, status: RunnerStatus, by: ColourBy) => string

/**
 * Creates the colours of a page. A group prefers the colour of its hash, so that it mostly has the same one on every
 * page, and takes the next free one while there are any: a race has fewer categories than there are colours.
 */
export function createColours(): ColourOf {
  const taken = new Map<string, Map<string, number>>()

  function indexOf(by: ColourBy, group: string): number {
    const ofGrouping = taken.get(by) ?? new Map<string, number>()
    taken.set(by, ofGrouping)
    const known = ofGrouping.get(group)
    if (known !== undefined) return known
    const wanted = hashOf(group) % PALETTE.length
    const used = new Set(ofGrouping.values())
    const free = PALETTE.map((_colour, step) => (wanted + step) % PALETTE.length).find((index) => !used.has(index))
    ofGrouping.set(group, free ?? wanted)
    return free ?? wanted
  }

  return (track, status, by) => {
    if (by === 'status' || status === 'silent' || status === 'astray') return STATUS_COLOURS[status]
    const group = GROUPS[by](track)
    return group === undefined ? STATUS_COLOURS.silent : PALETTE[indexOf(by, group)]
  }
}

/** Returns the groupings that tell these tracks apart, `status` first. */
export function colourings(tracks: Iterable<SharedTrack>): ColourBy[] {
  const found = new Set<ColourBy>()
  for (const track of tracks) {
    const { person, category } = namesOf(track)
    if (person !== undefined) found.add('person')
    if (category !== undefined) found.add('category')
  }
  return (['status', 'runner', 'person', 'category'] as const).filter(
    (by) => by === 'status' || by === 'runner' || found.has(by),
  )
}

/** Hashes a text (FNV-1a, 32 bits). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash
}
