import type { TrackState } from '../model/track-state.ts'

/** Time from one number to the next: the number of a frame is the time at which it is due, in these units. */
export const FRAME_MS = 2000

/** Mean length of a degree of latitude. */
export const METERS_PER_DEGREE = 111_195

/** Units of a position in a degree: a unit is 1.1 m or less. */
export const UNITS_PER_DEGREE = 100_000

/** Steps of a heading in degrees; 0 stands for an unknown one, and 1 for north. */
const HEADING_STEP_DEG = 1.5
const HEADINGS = 240

/** Steps of a speed in meters per second: fine ones for people on foot, and coarser ones for those who are faster. */
const FINE_STEP_MPS = 0.05
const FINE_STEPS = 128
const COARSE_STEP_MPS = 0.2
const MAX_STEP = 254

/** The last position of a track, as precise as frames are. */
export type FramePosition = {
  /** Seconds since 1970. */
  timeSec: number
  /** Latitude and longitude in units of a hundred-thousandth of a degree. */
  latitude: number
  longitude: number
  /** Step of the direction of movement, from 1; 0 if it is unknown. */
  heading: number
}

/** A track as a frame shows it. It is never changed, so that frames share those that have not moved. */
export type FrameTrack = {
  id: string
  state: TrackState
  /** Null while the track has no visible point. */
  position: FramePosition | null
  /** Step of the speed, from 1; 0 if it is unknown. */
  speed: number
  /** Rank in the race; 0 for none. */
  rank: number
  /** Checksum of the facts that the list of tracks has and frames do not: 0 to 65,535. */
  details: number
  /** Charge of the phone in per cent plus 1; 0 if it is unknown. For operators. */
  battery: number
}

/** The tracks of an event at one time, or its differences from the frame before. */
export type Frame = {
  number: number
  /** The frame that this one continues; null if it begins anew. */
  previous: number | null
  /** The latest whole frame, which the bytes of this one refer to. */
  key: number
  isWhole: boolean
  /** Time of the state that the frame shows, by the server's clock, in milliseconds since 1970. */
  asOfMs: number
  delaySec: number
  /** Older tracks of the event that no frame of this series has. */
  leftOut: number
  /** Tracks by their places, which grow. A whole frame has all places from 0. */
  entries: readonly FrameEntry[]
}

/** A track at its place in the series. */
export type FrameEntry = { place: number; track: FrameTrack }

/** Returns the step of a heading in degrees; 0 for NaN. */
export function headingStep(degrees: number): number {
  return Number.isNaN(degrees) ? 0 : 1 + (Math.round(degrees / HEADING_STEP_DEG) % HEADINGS)
}

/** Returns the degrees of a step of a heading; null for an unknown one. */
export function headingDegrees(step: number): number | null {
  return step === 0 ? null : (step - 1) * HEADING_STEP_DEG
}

/** Returns the step of a speed in meters per second; 0 for NaN, and the highest for anything faster. */
export function speedStep(speedMps: number): number {
  if (Number.isNaN(speedMps)) return 0
  const fine = Math.round(speedMps / FINE_STEP_MPS)
  if (fine <= FINE_STEPS) return 1 + fine
  const coarse = Math.round((speedMps - FINE_STEPS * FINE_STEP_MPS) / COARSE_STEP_MPS)
  return 1 + Math.min(MAX_STEP, FINE_STEPS + coarse)
}

/** Returns the meters per second of a step of a speed, to a hundredth; null for an unknown one. */
export function speedMps(step: number): number | null {
  if (step === 0) return null
  const fine = Math.min(step - 1, FINE_STEPS)
  return Math.round(100 * (fine * FINE_STEP_MPS + (step - 1 - fine) * COARSE_STEP_MPS)) / 100
}

/** Tells whether two states of a track look alike in a frame. */
export function isSameTrack(a: FrameTrack, b: FrameTrack): boolean {
  return (
    a.state === b.state &&
    a.speed === b.speed &&
    a.rank === b.rank &&
    a.details === b.details &&
    a.battery === b.battery &&
    isSamePosition(a.position, b.position)
  )
}

function isSamePosition(a: FramePosition | null, b: FramePosition | null): boolean {
  if (a === null || b === null) return a === b
  return a.timeSec === b.timeSec && a.latitude === b.latitude && a.longitude === b.longitude && a.heading === b.heading
}

/** Tracks by their places, which later frames refer to. */
export type KeyTracks = {
  readonly length: number
  /** Returns the track at a place; undefined beyond the last one. */
  at(place: number): FrameTrack | undefined
  /** Tells whether there is a track at a place. Absent where all places below `length` have one. */
  has?(place: number): boolean
}

const FIRST_CAPACITY = 64

/** States by their bits. */
export const STATES: readonly TrackState[] = ['running', 'paused', 'stopped']

/** Bit of a look above the bits of the state. */
const HAS_POSITION = 4

type Columns = ReturnType<typeof columnsOf>

function columnsOf(capacity: number) {
  return {
    timeSec: new Float64Array(capacity),
    latitude: new Int32Array(capacity),
    longitude: new Int32Array(capacity),
    rank: new Uint32Array(capacity),
    details: new Uint16Array(capacity),
    look: new Uint8Array(capacity),
    heading: new Uint8Array(capacity),
    battery: new Uint8Array(capacity),
    speed: new Uint8Array(capacity),
  }
}

const COLUMN_NAMES = Object.keys(columnsOf(0)) as (keyof Columns)[]

/**
 * The tracks of a series, in columns: 26 bytes each besides the id, a fifth of an object with its position. The ids are
 * shared with copies.
 */
export class TrackColumns implements KeyTracks {
  #columns: Columns
  #ids: string[]
  #length: number

  private constructor(columns: Columns, ids: string[], length: number) {
    this.#columns = columns
    this.#ids = ids
    this.#length = length
  }

  /** Creates columns without tracks. */
  static empty(): TrackColumns {
    return new TrackColumns(columnsOf(FIRST_CAPACITY), [], 0)
  }

  get length(): number {
    return this.#length
  }

  /** Returns a copy with the same tracks. Places never change their ids, so that copies share them. */
  copy(): TrackColumns {
    const columns = columnsOf(this.#length)
    for (const name of COLUMN_NAMES) columns[name].set(this.#columns[name].subarray(0, this.#length))
    return new TrackColumns(columns, this.#ids, this.#length)
  }

  idAt(place: number): string {
    return this.#ids[place]
  }

  rankAt(place: number): number {
    return this.#columns.rank[place]
  }

  at(place: number): FrameTrack | undefined {
    if (place >= this.#length) return undefined
    const { timeSec, latitude, longitude, rank, details, look, heading, battery, speed } = this.#columns
    return {
      id: this.#ids[place],
      state: STATES[look[place] & 3],
      position:
        look[place] & HAS_POSITION
          ? {
              timeSec: timeSec[place],
              latitude: latitude[place],
              longitude: longitude[place],
              heading: heading[place],
            }
          : null,
      speed: speed[place],
      rank: rank[place],
      details: details[place],
      battery: battery[place],
    }
  }

  /** Puts a track at its place. New places follow the others without a gap. */
  set(place: number, { id, state, position, speed, rank, details, battery }: FrameTrack): void {
    if (place >= this.#columns.look.length) this.#grow(place + 1)
    const columns = this.#columns
    if (place >= this.#length) {
      this.#ids[place] = id
      this.#length = place + 1
    }
    columns.look[place] = STATES.indexOf(state) | (position === null ? 0 : HAS_POSITION)
    columns.timeSec[place] = position?.timeSec ?? 0
    columns.latitude[place] = position?.latitude ?? 0
    columns.longitude[place] = position?.longitude ?? 0
    columns.heading[place] = position?.heading ?? 0
    columns.rank[place] = rank
    columns.details[place] = details
    columns.battery[place] = battery
    columns.speed[place] = speed
  }

  #grow(atLeast: number): void {
    const larger = columnsOf(Math.max(atLeast, Math.ceil(this.#columns.look.length * 1.25), FIRST_CAPACITY))
    for (const name of COLUMN_NAMES) larger[name].set(this.#columns[name])
    this.#columns = larger
  }
}
