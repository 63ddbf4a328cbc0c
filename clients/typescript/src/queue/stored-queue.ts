import type { Change, QueueStorage, Row } from '../storage/queue-storage.ts'
import type { HoldReason } from './answers.ts'
import type { FieldError, StoredPoint } from './wire.ts'

// The keys of the queue. Numbers have a fixed width, so that the order of the keys is that of the numbers.
//
//   s                     last number that was given out
//   l                     turn of the sender (sender-turn.ts)
//   t<track>              a track
//   e<track><number>      a request of the track that waits, in order
//   a<number>             points or a request that were set aside

const WIDTH = 12
const SEQUENCE = 's'
const ROWS_AT_ONCE = 200

/** A track as the queue knows it. */
export type StoredTrack = {
  deviceTrackId: string
  /** Id on the server, once it is known. */
  id?: string
  /** Why its requests are held, and the server's words. */
  held?: { reason: HoldReason; detail: string }
  isFinished?: boolean
}

/** A request that waits. `create` and `update` are bodies as JSON, byte for byte the same in every attempt. */
export type Entry =
  | { create: string; idempotencyKey: string }
  | { points: StoredPoint[] }
  | { update: string }
  | { finish: true }

/** Points or a change that the server has refused. The app may show, repair or discard them. */
export type SetAside = {
  deviceTrackId: string
  detail: string
  /** Points with the fields that break a rule, or */
  points?: { point: StoredPoint; errors: FieldError[] }[]
  /** a change of the track. */
  update?: unknown
}

export type Kept<Value> = { number: number; value: Value }

/** Rows that get `count` new numbers, if the queue has the `track`. */
type Addition = { count: number; rows: (first: number) => Change[]; track?: number }

/** Rows of the queue behind an interface of tracks and entries. */
export type StoredQueue = ReturnType<typeof createStoredQueue>

const key = (kind: string, ...numbers: number[]) => kind + numbers.map((n) => String(n).padStart(WIDTH, '0')).join('')
const numberIn = (text: string, place: number) => Number(text.slice(1 + place * WIDTH, 1 + (place + 1) * WIDTH))

export const trackChange = (track: number, value: StoredTrack | null): Change => change(key('t', track), value)
export const entryChange = (track: number, entry: number, value: Entry | null): Change =>
  change(key('e', track, entry), value)
export const asideChange = (number: number, value: SetAside | null): Change => change(key('a', number), value)

function change(rowKey: string, value: unknown): Change {
  return [rowKey, value === null ? null : JSON.stringify(value)]
}

const trackRow = async (storage: QueueStorage, track: number): Promise<Row | undefined> =>
  (await storage.read(key('t', track), key('t', track + 1), 1))[0]

const sequenceRow = async (storage: QueueStorage): Promise<Change> =>
  (await storage.read(SEQUENCE, `${SEQUENCE}~`, 1))[0] ?? [SEQUENCE, null]

/** Creates what writes rows under new numbers, which no other page or process gets. */
function createAdding(storage: QueueStorage) {
  let lastKnown: number | undefined
  let adding: Promise<unknown> = Promise.resolve()

  async function addNow({ count, rows, track }: Addition): Promise<number | undefined> {
    for (;;) {
      const row = track === undefined ? undefined : await trackRow(storage, track)
      if (track !== undefined && row === undefined) return undefined
      const last = lastKnown ?? Number((await sequenceRow(storage))[1] ?? 0)
      // Unknown until the write has succeeded: after a failure it may have been applied or not.
      lastKnown = undefined
      const changes: Change[] = [[SEQUENCE, String(last + count)], ...rows(last + 1)]
      const expected: Change[] = [[SEQUENCE, last === 0 ? null : String(last)]]
      if (row !== undefined) expected.push(row)
      if (!(await storage.write(changes, expected))) continue
      lastKnown = last + count
      return last + 1
    }
  }

  function addInTurn(addition: Addition): Promise<number | undefined> {
    const added = adding.then(() => addNow(addition))
    adding = added.catch(() => {})
    return added
  }

  return {
    /**
     * Adds rows with `count` new numbers, all or none. Resolves once they survive a crash.
     * @returns the first number
     */
    async add(count: number, rows: (first: number) => Change[]): Promise<number> {
      return (await addInTurn({ count, rows })) as number
    },
    /** Adds entries of a track, all or none. @returns whether the queue has the track */
    async addEntries(track: number, entries: readonly Entry[]): Promise<boolean> {
      const rows = (first: number) => entries.map((entry, at) => entryChange(track, first + at, entry))
      return (await addInTurn({ count: entries.length, rows, track })) !== undefined
    },
  }
}

/** Creates the queue over storage that others may write at the same time. */
export function createStoredQueue(storage: QueueStorage) {
  async function readAll(from: string, until: string): Promise<Row[]> {
    const all: Row[] = []
    for (let start = from; ; ) {
      const rows = await storage.read(start, until, ROWS_AT_ONCE)
      all.push(...rows)
      if (rows.length < ROWS_AT_ONCE) return all
      start = after(rows)
    }
  }

  /** Calls `visit` with the entries of a track in order, until it returns true. */
  async function eachEntry(track: number, visit: (entry: Kept<Entry>) => boolean): Promise<void> {
    // No async generator, which Hermes cannot run as it is.
    for (let start = key('e', track); ; ) {
      const rows = await storage.read(start, key('e', track + 1), ROWS_AT_ONCE)
      for (const [rowKey, value] of rows) {
        if (visit({ number: numberIn(rowKey, 1), value: JSON.parse(value) })) return
      }
      if (rows.length < ROWS_AT_ONCE) return
      start = after(rows)
    }
  }

  return {
    ...createAdding(storage),
    async track(track: number): Promise<StoredTrack | undefined> {
      const row = await trackRow(storage, track)
      return row && JSON.parse(row[1])
    },
    /** Changes a track, whoever else changes it at the same time. */
    async changeTrack(track: number, changed: (value: StoredTrack) => StoredTrack): Promise<void> {
      for (;;) {
        const row = await trackRow(storage, track)
        if (row === undefined || (await storage.write([trackChange(track, changed(JSON.parse(row[1])))], [row]))) return
      }
    },
    /** Removes a track with its entries, or `ifEmpty` only one without any, whoever adds some at the same time. */
    async removeTrack(track: number, ifEmpty = false): Promise<void> {
      for (;;) {
        const sequence = await sequenceRow(storage)
        const changes = [trackChange(track, null)]
        await eachEntry(track, ({ number }) => {
          changes.push(entryChange(track, number, null))
          return ifEmpty
        })
        if ((ifEmpty && changes.length > 1) || (await storage.write(changes, [sequence]))) return
      }
    },
    async tracks(): Promise<Kept<StoredTrack>[]> {
      const rows = await readAll('t', 'u')
      return rows.map(([rowKey, value]) => ({ number: numberIn(rowKey, 0), value: JSON.parse(value) }))
    },
    /** Returns the first track from `track` on that has entries; undefined if there is none. */
    async trackWithEntries(track: number): Promise<number | undefined> {
      const [row] = await storage.read(key('e', track), 'f', 1)
      return row && numberIn(row[0], 0)
    },
    eachEntry,
    async setAside(): Promise<Kept<SetAside>[]> {
      const rows = await readAll('a', 'b')
      return rows.map(([rowKey, value]) => ({ number: numberIn(rowKey, 0), value: JSON.parse(value) }))
    },
    write: storage.write.bind(storage),
  }
}

/** Returns the first possible key after rows. Keys have digits only, and a space comes before those. */
function after(rows: Row[]): string {
  return `${rows[rows.length - 1][0]} `
}
