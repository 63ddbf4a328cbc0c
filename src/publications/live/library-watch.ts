import type { Kysely } from 'kysely'
import { encodeEvents } from '#platform/http/streams/encode-events.ts'
import type { EventStream } from '#platform/http/streams/event-stream.ts'
import type { Logger } from '#platform/logger.ts'
import type { Addresses } from '../domain/addresses.ts'
import { libraryEntry } from '../representations/operator-json.ts'
import type { FiguresStore } from '../storage/figures-store.ts'
import {
  findByIds,
  findChanged,
  findDeleted,
  findInProgress,
  latestChangeMs,
  workspaceExists,
} from '../storage/library-changes.ts'
import type { Publication } from '../storage/publications-store.ts'
import type { PublicationsTables } from '../storage/tables.ts'

export type LibraryWatchDeps = {
  db: Kysely<PublicationsTables>
  figures: Pick<FiguresStore, 'totalViews'>
  addresses: Addresses
  logger: Logger
  now: () => number
}

/** Interval between polls of the database. */
const LOOK_EVERY_MS = 500
/** A rest lasts this many times as long as the poll before it, so that polling takes at most 5% of the time. */
const REST_PER_LOOK = 20
/** Polls reach back this far: a change gets its time, by the clock of its instance, before it becomes visible. */
const OVERLAP_MS = 5_000

/**
 * Sends changes and rendering progress of a workspace's publications to its watchers on this instance. One poll of the
 * database serves all of them, and nothing is polled without watchers, so every instance sees the changes of all.
 */
export class LibraryWatch {
  readonly #deps: LibraryWatchDeps
  readonly #workspaceId: string
  readonly #onEmpty: () => void
  readonly #streams = new Set<EventStream>()
  readonly #joining = new Set<EventStream>()
  /** The last state of each publication that was sent. */
  readonly #sent = new Map<string, string>()
  readonly #deleted = new Set<string>()
  #inProgress = new Set<string>()
  #clockMs: number | undefined
  #running: Promise<void> | undefined
  #wake = () => {}

  constructor(deps: LibraryWatchDeps, workspaceId: string, onEmpty: () => void) {
    this.#deps = deps
    this.#workspaceId = workspaceId
    this.#onEmpty = onEmpty
  }

  /** Sends `ready` to the stream once it will miss nothing, then all changes until it ends. */
  join(stream: EventStream): void {
    if (stream.closed.aborted) return
    this.#joining.add(stream)
    stream.closed.addEventListener('abort', () => this.#leave(stream))
    this.#wake()
    if (this.#running === undefined) this.#running = this.#run()
  }

  /** Ends all streams; resolves when the database is no longer used. */
  async close(): Promise<void> {
    for (const stream of [...this.#streams, ...this.#joining]) stream.end()
    await this.#running
  }

  #leave(stream: EventStream): void {
    this.#joining.delete(stream)
    this.#streams.delete(stream)
    this.#wake()
  }

  get #isWatched(): boolean {
    return this.#streams.size + this.#joining.size > 0
  }

  async #run(): Promise<void> {
    while (this.#isWatched) {
      const startMs = performance.now()
      try {
        await this.#look()
        this.#sendReady()
      } catch (err) {
        // The next poll covers the time of this one.
        if (this.#isWatched) this.#deps.logger.warn({ err }, 'polling the changes of a workspace failed')
      }
      await this.#rest(Math.max(LOOK_EVERY_MS, REST_PER_LOOK * (performance.now() - startMs)))
    }
    this.#running = undefined
    this.#onEmpty()
  }

  /** Waits for the next poll, a new watcher, or the end of all streams. */
  async #rest(durationMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, durationMs)
    this.#wake = () => {
      if (this.#joining.size > 0 || !this.#isWatched) resolve()
    }
    this.#wake()
    await promise
    clearTimeout(timer)
  }

  #sendReady(): void {
    for (const stream of this.#joining) {
      stream.send({ event: 'ready', data: {} })
      this.#streams.add(stream)
    }
    this.#joining.clear()
  }

  async #look(): Promise<void> {
    const { db } = this.#deps
    if (!(await workspaceExists(db, this.#workspaceId))) return this.#end()
    const isFirst = this.#clockMs === undefined
    const clockMs = this.#clockMs ?? (await latestChangeMs(db, this.#workspaceId))
    const changed = await findChanged(db, this.#workspaceId, clockMs - OVERLAP_MS)
    const rendered = await findInProgress(db, this.#workspaceId)
    const found = [...changed, ...rendered, ...(await this.#justFinished(rendered))]
    const deleted = (await findDeleted(db, this.#workspaceId)).filter((id) => !this.#deleted.has(id))
    if (isFirst) this.#remember(found)
    else await this.#sendChanges(this.#changesOf(found), deleted)
    for (const id of deleted) this.#deleted.add(id)
    this.#clockMs = Math.max(clockMs, changed.at(-1)?.updated_at ?? 0)
    this.#inProgress = new Set(rendered.map(({ id }) => id))
  }

  /** Finds publications whose rendering has just ended; their last pages would be missed otherwise. */
  async #justFinished(rendered: readonly Publication[]): Promise<Publication[]> {
    const continuing = new Set(rendered.map(({ id }) => id))
    return await findByIds(
      this.#deps.db,
      [...this.#inProgress].filter((id) => !continuing.has(id)),
    )
  }

  /** Selects the publications whose state differs from the last one sent, each once. */
  #changesOf(found: readonly Publication[]): Publication[] {
    const changed = found.filter((publication) => this.#sent.get(publication.id) !== stateOf(publication))
    return [...new Map(changed.map((publication) => [publication.id, publication])).values()]
  }

  #remember(found: readonly Publication[]): void {
    for (const publication of found) this.#sent.set(publication.id, stateOf(publication))
  }

  async #sendChanges(changed: readonly Publication[], deleted: readonly string[]): Promise<void> {
    const { figures, addresses } = this.#deps
    const views = await figures.totalViews(changed.map(({ id }) => id))
    this.#remember(changed)
    for (const publication of changed) {
      this.#send('publication', libraryEntry(publication, views.get(publication.id) ?? 0, addresses))
    }
    for (const id of deleted) this.#send('publication-deleted', { id })
  }

  #send(event: string, data: object): void {
    const encoded = encodeEvents([{ event, data }])
    for (const stream of this.#streams) stream.send(encoded)
  }

  #end(): void {
    for (const stream of [...this.#streams, ...this.#joining]) {
      stream.send({ event: 'ended', data: {} })
      stream.end()
    }
  }
}

/** Returns a text that differs whenever there is something to send. */
function stateOf({ updated_at, version_id, status, pages_ready }: Publication): string {
  return `${updated_at} ${version_id} ${status} ${pages_ready}`
}
