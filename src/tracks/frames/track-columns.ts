import type { FrameTrack } from './frame.ts'
import { STATES } from './frame-bytes.ts'

/** Tracks by their places, which later frames refer to. */
export type KeyTracks = {
  readonly length: number
  /** Returns the track at a place; undefined beyond the last one. */
  at(place: number): FrameTrack | undefined
  /** Tells whether there is a track at a place. Absent where all places below `length` have one. */
  has?(place: number): boolean
}

const FIRST_CAPACITY = 64

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
