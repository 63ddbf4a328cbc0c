import type { FrameRow } from './track-rows.ts'

/** A track of a series that has been read. */
export type ReadTrack = {
  /** Place in the series; undefined while the track is not visible. */
  place: number | undefined
  updatedAt: number
  endMs: number | undefined
  /** The stored row while a delay holds something of it back. */
  held: FrameRow | undefined
}

const FIRST_CAPACITY = 64
const NO_PLACE = -1

/** The tracks of a series that have been read, by their ids: 20 bytes each besides the id and its entry. */
export class ReadTracks {
  readonly #indexes = new Map<string, number>()
  readonly #held = new Map<string, FrameRow>()
  #updatedAt = new Float64Array(FIRST_CAPACITY)
  #endMs = new Float64Array(FIRST_CAPACITY)
  #places = new Int32Array(FIRST_CAPACITY)

  get size(): number {
    return this.#indexes.size
  }

  find(id: string): ReadTrack | undefined {
    const i = this.#indexes.get(id)
    if (i === undefined) return undefined
    const place = this.#places[i] === NO_PLACE ? undefined : this.#places[i]
    const endMs = Number.isNaN(this.#endMs[i]) ? undefined : this.#endMs[i]
    return { place, updatedAt: this.#updatedAt[i], endMs, held: this.#held.get(id) }
  }

  /** Returns the time of the change as of which a track has been read; undefined if it has not been. */
  updatedAt(id: string): number | undefined {
    const i = this.#indexes.get(id)
    return i === undefined ? undefined : this.#updatedAt[i]
  }

  set(id: string, { place = NO_PLACE, updatedAt, endMs = Number.NaN, held }: ReadTrack): void {
    const i = this.#indexes.get(id) ?? this.#indexes.size
    if (i === this.#indexes.size) this.#indexes.set(id, i)
    if (i === this.#places.length) this.#grow()
    this.#places[i] = place
    this.#updatedAt[i] = updatedAt
    this.#endMs[i] = endMs
    if (held === undefined) this.#held.delete(id)
    else this.#held.set(id, held)
  }

  /** Returns the rows of which something is held back. */
  held(): FrameRow[] {
    return [...this.#held.values()]
  }

  #grow(): void {
    const grown = <Column extends Float64Array | Int32Array>(column: Column, larger: Column) => {
      larger.set(column)
      return larger
    }
    const capacity = this.#places.length + Math.ceil(this.#places.length / 4)
    this.#updatedAt = grown(this.#updatedAt, new Float64Array(capacity))
    this.#endMs = grown(this.#endMs, new Float64Array(capacity))
    this.#places = grown(this.#places, new Int32Array(capacity))
  }
}
