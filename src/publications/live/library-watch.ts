import type { Kysely } from 'kysely'
import { encodeEvents } from '#platform/http/streams/encode-events.ts'
import type { EventStream } from '#platform/http/streams/event-stream.ts'
import { PollLoop } from '#platform/live/poll-loop.ts'
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
} from '../storage/library/library-changes.ts'
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
const POLL_EVERY_MS = 500
/** Polls reach back this far: a change gets its time, by the clock of its instance, before it becomes visible. */
const OVERLAP_MS = 5_000

/**
 * Sends changes and rendering progress of a workspace's publications to its watchers on this instance. One poll of the
 * database serves all of them, and nothing is polled without watchers, so every instance sees the changes of all.
 */
export class LibraryWatch {
  readonly #deps: LibraryWatchDeps
  readonly #workspaceId: string
  readonly #streams = new Set<EventStream>()
  readonly #joining = new Set<EventStream>()
  /** The last state of each publication that was sent. */
  readonly #sent = new Map<string, string>()
  readonly #deleted = new Set<string>()
  #inProgress = new Set<string>()
  #clockMs: number | undefined
  readonly #loop: PollLoop
  readonly #ended = Promise.withResolvers<void>()

  constructor(deps: LibraryWatchDeps, workspaceId: string, onEnd: () => void) {
    this.#deps = deps
    this.#workspaceId = workspaceId
    this.#loop = new PollLoop({
      poll: () => this.#poll(),
      isWatched: () => this.#isWatched,
      intervalMs: POLL_EVERY_MS,
      onError: (err) => {
        // The next poll covers the time of this one.
        if (this.#isWatched) deps.logger.warn({ err }, 'polling the changes of a workspace failed')
      },
      onEnd: () => {
        this.#ended.resolve()
        onEnd()
      },
    })
  }

  /** Sends `ready` to an open stream once it will miss nothing, then all changes until it ends. */
  join(stream: EventStream): void {
    this.#joining.add(stream)
    stream.closed.addEventListener('abort', () => this.#leave(stream))
    this.#loop.start()
    this.#loop.wake()
  }

  /** Returns how far the watchers are behind. */
  get lagMs(): number {
    return this.#loop.lagMs
  }

  /** Ends all streams; resolves when the database is no longer used. */
  async close(): Promise<void> {
    for (const stream of [...this.#streams, ...this.#joining]) stream.end()
    await this.#ended.promise
  }

  #leave(stream: EventStream): void {
    this.#joining.delete(stream)
    this.#streams.delete(stream)
    if (!this.#isWatched) this.#loop.wake()
  }

  get #isWatched(): boolean {
    return this.#streams.size + this.#joining.size > 0
  }

  async #poll(): Promise<void> {
    const joining = [...this.#joining]
    await this.#look()
    this.#sendReady(joining)
  }

  /** Streams that joined during the poll wait for the next one. */
  #sendReady(joining: readonly EventStream[]): void {
    for (const stream of joining) {
      if (!this.#joining.delete(stream)) continue
      stream.send({ event: 'ready', data: {} })
      this.#streams.add(stream)
    }
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
