import type { SharedTrack } from '../../../../src/tracks/schemas/track-summaries.ts'
import { namesOf } from './runner-names.ts'
import type { RunnerStatus } from './runner-status.ts'

/** The property of a runner that the colours on a live map tell apart. */
export type ColourBy = 'status' | 'runner' | 'person' | 'category'

/** The colours of statuses. They have to be told apart on light and dark maps, and silence has none. */
const STATUS_COLOURS: Record<RunnerStatus, string> = {
  running: '#0ca678',
  paused: '#f08c00',
  silent: '#868e96',
  stopped: '#4263eb',
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

/** Returns the colour of a runner. Silence is grey in every grouping, and so is a runner of no group. */
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
    if (by === 'status' || status === 'silent') return STATUS_COLOURS[status]
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
