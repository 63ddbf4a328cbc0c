import type { Kysely } from 'kysely'
import { encodeEvents } from '#platform/http/streams/encode-events.ts'
import type { EventStream } from '#platform/http/streams/event-stream.ts'
import type { Logger } from '#platform/logger.ts'
import type { Addresses } from '../deps.ts'
import { libraryEntry } from '../representations/operator-json.ts'
import type { FiguresStore } from '../storage/figures-store.ts'
import {
  findByIds,
  findChanged,
  findDeleted,
  findRendered,
  lastChange,
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

/** How often the database is asked what has changed. */
const LOOK_EVERY_MS = 500
/** Looking takes this share of the time at most. */
const REST_PER_LOOK = 20
/** A change gets its time before it can be seen, by the clock of its instance, so that a look reaches back so far. */
const OVERLAP_MS = 5_000

/**
 * Tells those who watch a workspace on this instance how its publications change and how far they are rendered. It looks
 * into the database for all of them together, and not at all while nobody watches: so every instance sees what any of
 * them does.
 */
export class LibraryWatch {
  readonly #deps: LibraryWatchDeps
  readonly #workspaceId: string
  readonly #onEmpty: () => void
  readonly #streams = new Set<EventStream>()
  readonly #joining = new Set<EventStream>()
  /** What was told of each publication, in short. */
  readonly #told = new Map<string, string>()
  readonly #gone = new Set<string>()
  #rendered = new Set<string>()
  #clockMs: number | undefined
  #isRunning = false
  #wake = () => {}

  constructor(deps: LibraryWatchDeps, workspaceId: string, onEmpty: () => void) {
    this.#deps = deps
    this.#workspaceId = workspaceId
    this.#onEmpty = onEmpty
  }

  /** Says `ready` to the stream as soon as nothing will be missed, and then what happens, until the stream ends. */
  join(stream: EventStream): void {
    if (stream.closed.aborted) return
    this.#joining.add(stream)
    stream.closed.addEventListener('abort', () => this.#leave(stream))
    this.#wake()
    if (!this.#isRunning) void this.#run()
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
    this.#isRunning = true
    while (this.#isWatched) {
      const startMs = performance.now()
      try {
        await this.#look()
        this.#greet()
      } catch (err) {
        // The next look reaches back to where this one did.
        if (this.#isWatched) this.#deps.logger.warn({ err }, 'looking for what changed in a workspace failed')
      }
      await this.#rest(Math.max(LOOK_EVERY_MS, REST_PER_LOOK * (performance.now() - startMs)))
    }
    this.#isRunning = false
    this.#onEmpty()
  }

  /** Until it is time, somebody comes, or all have left. */
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

  #greet(): void {
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
    const clockMs = this.#clockMs ?? (await lastChange(db, this.#workspaceId))
    const changed = await findChanged(db, this.#workspaceId, clockMs - OVERLAP_MS)
    const rendered = await findRendered(db, this.#workspaceId)
    const found = [...changed, ...rendered, ...(await this.#justFinished(rendered))]
    const deleted = (await findDeleted(db, this.#workspaceId)).filter((id) => !this.#gone.has(id))
    if (isFirst) this.#remember(found)
    else await this.#tell(this.#newsOf(found), deleted)
    for (const id of deleted) this.#gone.add(id)
    this.#clockMs = Math.max(clockMs, changed.at(-1)?.updated_at ?? 0)
    this.#rendered = new Set(rendered.map(({ id }) => id))
  }

  /** What was being rendered a moment ago and is not any more, whose last pages would not be told of otherwise. */
  async #justFinished(rendered: readonly Publication[]): Promise<Publication[]> {
    const goesOn = new Set(rendered.map(({ id }) => id))
    return await findByIds(
      this.#deps.db,
      [...this.#rendered].filter((id) => !goesOn.has(id)),
    )
  }

  /** Those of which something else was told before, each once. */
  #newsOf(found: readonly Publication[]): Publication[] {
    const changed = found.filter((publication) => this.#told.get(publication.id) !== stateOf(publication))
    return [...new Map(changed.map((publication) => [publication.id, publication])).values()]
  }

  #remember(found: readonly Publication[]): void {
    for (const publication of found) this.#told.set(publication.id, stateOf(publication))
  }

  async #tell(news: readonly Publication[], deleted: readonly string[]): Promise<void> {
    const { figures, addresses } = this.#deps
    const views = await figures.totalViews(news.map(({ id }) => id))
    this.#remember(news)
    for (const publication of news) {
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

/** Differs wherever there is something to tell. */
function stateOf({ updated_at, version_id, status, pages_ready }: Publication): string {
  return `${updated_at} ${version_id} ${status} ${pages_ready}`
}
