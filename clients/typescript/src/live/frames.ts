/** A track as frames show it: positions to a meter, times to a second. */
export type FrameTrack = {
  id: string
  state: 'running' | 'paused' | 'stopped'
  /** Time of the last visible point in milliseconds since 1970; null without one, as are the next two. */
  timeMs: number | null
  latitude: number | null
  longitude: number | null
  /** Direction of movement in degrees; null if it is unknown. */
  heading: number | null
  /** Speed in meters per second; null if it is unknown, as after a silence. */
  speedMps: number | null
  /** Rank in the race; null without one. */
  rank: number | null
  /** Changes with what the list of tracks says and frames do not, such as the title. */
  details: number
  /** Charge of the phone in per cent; null if it is unknown, and for spectators. */
  battery: number | null
}

/** A frame that has been read. */
export type Frame = {
  number: number
  /** Time of the state that it shows, in milliseconds since 1970 by the server's clock. */
  asOfMs: number
  delaySec: number
  /** Older tracks of the event that no frame has. */
  leftOut: number
  /** True if it has all tracks. */
  isWhole: boolean
  /** The tiles that it has the tracks of; absent in a frame of the whole event. */
  tiles?: readonly Tile[]
  /** The tracks that it has: those that differ from the frame before, or all. */
  changed: readonly FrameTrack[]
}

/** A square of latitude and longitude of which frames can be read alone. */
export type Tile = { zoom: 11 | 13 | 15; x: number; y: number }

/** Reads the frames of one share, one after another. */
export type FrameReader = {
  /**
   * Takes the bytes of the next frame. Returns undefined, with nothing changed, if frames between are missing: then go
   * on with the newest whole frame.
   * @throws RangeError if the bytes are no frame that this version can read
   */
  take(bytes: Uint8Array): Frame | undefined
  /** Number of the latest frame; undefined before the first. */
  number(): number | undefined
  /** All tracks as of the latest frame, by their ids. */
  tracks(): ReadonlyMap<string, FrameTrack>
}

type Header = Omit<Frame, 'changed'> & {
  previous: number | undefined
  key: number
  count: number
  known: number
  added: number
  hasBattery: boolean
  hasSpeed: boolean
}

const STATES = ['running', 'paused', 'stopped'] as const
const UNITS_PER_DEGREE = 100_000
const HEADING_STEP_DEG = 1.5
/** Steps of speeds: the first so many are fine, all others coarse. */
const FINE_STEPS = 128
const FINE_STEP_MPS = 0.05
const COARSE_STEP_MPS = 0.2
const MAX_PLACES = 2 ** 24

/**
 * Creates a reader. The format is that of docs/live-frames.md.
 * @param isInTile tells which tracks are in the tile whose frames it reads; undefined for frames of the whole event
 */
export function createFrameReader(isInTile?: (track: FrameTrack) => boolean): FrameReader {
  let latest: number | undefined
  let key: { number: number; tracks: readonly FrameTrack[] } | undefined
  let tracks: FrameTrack[] = []

  function take(bytes: Uint8Array): Frame | undefined {
    const reader = byteReader(bytes)
    const { previous, key: keyNumber, count, known, added, hasBattery, hasSpeed, ...frame } = readHeader(reader)
    if (!frame.isWhole) {
      if (previous === undefined || previous !== latest) return undefined
      // The tracks as of a key frame are known to whoever has read the frames up to it.
      if (keyNumber === latest) key = { number: latest, tracks }
      if (key === undefined || keyNumber !== key.number) return undefined
    }
    const before = frame.isWhole || key === undefined ? [] : key.tracks
    if (known !== countOf(before)) throw new RangeError('The frame refers to another key frame.')
    const read = readTracks(reader, { ...frame, count, added, hasBattery, hasSpeed, before })
    if (frame.isWhole) tracks = []
    else tracks = tracks.slice()
    for (const { place, track } of read) {
      if (isInTile?.(track) ?? true) tracks[place] = track
      else delete tracks[place]
    }
    latest = frame.number
    if (frame.isWhole) key = { number: frame.number, tracks }
    return { ...frame, changed: read.map(({ track }) => track) }
  }

  return {
    take,
    number: () => latest,
    tracks() {
      const byId = new Map<string, FrameTrack>()
      // Without the places that tracks have left.
      tracks.forEach((track) => {
        byId.set(track.id, track)
      })
      return byId
    },
  }
}

/** Returns the number of tracks; of a tile not every place has one. */
function countOf(tracks: readonly FrameTrack[]): number {
  return tracks.reduce((count) => count + 1, 0)
}

type ByteReader = ReturnType<typeof byteReader>

function byteReader(bytes: Uint8Array) {
  let at = 0

  function byte(): number {
    if (at === bytes.length) throw new RangeError('The frame is cut off.')
    return bytes[at++]
  }

  function unsigned(): number {
    let value = 0
    for (let i = 0, unit = 1; i < 8; i++, unit *= 128) {
      const group = byte()
      value += (group & 127) * unit
      if (group < 128) return value
    }
    throw new RangeError('A number of the frame is too long.')
  }

  function signed(): number {
    const value = unsigned()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  return { byte, unsigned, signed, left: () => bytes.length - at }
}

function readHeader({ byte, unsigned, left }: ByteReader): Header {
  if (byte() !== 0x54 || byte() !== 0x46 || byte() !== 1) throw new RangeError('This is no frame of a known version.')
  const flags = byte()
  const number = unsigned()
  const back = unsigned()
  const header = {
    number,
    previous: back === 0 ? undefined : number - back,
    key: number - unsigned(),
    asOfMs: unsigned(),
    delaySec: unsigned(),
    leftOut: unsigned(),
    count: unsigned(),
    known: unsigned(),
    added: unsigned(),
    isWhole: (flags & 1) !== 0,
    hasBattery: (flags & 2) !== 0,
    hasSpeed: (flags & 4) !== 0,
  }
  if (header.count * 2 > left() || header.added > header.count) throw new RangeError('The frame is cut off.')
  return header
}

type Columns = Pick<Header, 'asOfMs' | 'isWhole' | 'count' | 'added' | 'hasBattery' | 'hasSpeed'> & {
  before: readonly FrameTrack[]
}

function readTracks(reader: ByteReader, { asOfMs, isWhole, count, added, hasBattery, hasSpeed, before }: Columns) {
  const { byte, unsigned, signed } = reader
  const every = (length: number, read: (i: number) => number) => Array.from({ length }, (_, i) => read(i))
  const ids = Array.from({ length: added }, () => readId(byte))
  let next = 0
  const places = every(count, () => {
    next += unsigned() + 1
    return next - 1
  })
  if (next > MAX_PLACES || places.filter((place) => before[place] === undefined).length !== added)
    throw new RangeError('The frame has a place that no track has.')
  const bits = every(count, byte)
  if (bits.some((each) => (each & 3) === 3)) throw new RangeError('The frame has a state that no track has.')
  const moved = Array.from(bits.keys()).filter((i) => bits[i] & 4)
  const ages = every(moved.length, signed)
  const axis = (name: 'latitude' | 'longitude') => {
    let last = 0
    return every(moved.length, (j) => {
      const base = before[places[moved[j]]]?.[name] ?? 0
      last = signed() + (isWhole ? last : Math.round(base * UNITS_PER_DEGREE))
      return last
    })
  }
  const latitudes = axis('latitude')
  const longitudes = axis('longitude')
  const headings = every(moved.length, byte)
  const ranks = every(count, (i) => (bits[i] & 8 ? unsigned() : (before[places[i]]?.rank ?? 0)))
  const details = every(count, (i) => (bits[i] & 16 ? byte() * 256 + byte() : (before[places[i]]?.details ?? 0)))
  const batteries = every(hasBattery ? count : 0, byte)
  const speeds = every(hasSpeed ? count : 0, (i) => (byte() + speedStep(before[places[i]]?.speedMps ?? null)) & 255)
  const atOf = new Map(moved.map((i, j) => [i, j]))
  let taken = 0
  return places.map((place, i) => {
    const j = atOf.get(i)
    const track: FrameTrack = {
      id: before[place]?.id ?? ids[taken++],
      state: STATES[bits[i] & 3],
      timeMs: j === undefined ? null : (Math.floor(asOfMs / 1000) - ages[j]) * 1000,
      latitude: j === undefined ? null : latitudes[j] / UNITS_PER_DEGREE,
      longitude: j === undefined ? null : longitudes[j] / UNITS_PER_DEGREE,
      heading: j === undefined || headings[j] === 0 ? null : (headings[j] - 1) * HEADING_STEP_DEG,
      speedMps: speeds[i] ? speedOf(speeds[i]) : null,
      rank: ranks[i] || null,
      details: details[i],
      battery: batteries[i] ? batteries[i] - 1 : null,
    }
    return { place, track }
  })
}

/** Returns the meters per second of a step of a speed, from 1. */
function speedOf(step: number): number {
  const fine = Math.min(step - 1, FINE_STEPS)
  return Math.round(100 * (fine * FINE_STEP_MPS + (step - 1 - fine) * COARSE_STEP_MPS)) / 100
}

/** Returns the step of a speed that was read; 0 for an unknown one. */
function speedStep(speedMps: number | null): number {
  if (speedMps === null) return 0
  const fine = Math.min(speedMps, FINE_STEPS * FINE_STEP_MPS)
  return 1 + Math.round(fine / FINE_STEP_MPS) + Math.round((speedMps - fine) / COARSE_STEP_MPS)
}

/** Reads the sixteen bytes of a UUID. */
function readId(byte: () => number): string {
  const hex = Array.from({ length: 16 }, () => byte().toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
