import { type Kysely, sql } from 'kysely'
import type { Registry } from 'prom-client'
import Type from 'typebox'
import { rateLimited, unavailable } from '#platform/basics/errors.ts'
import type { Logger } from '#platform/basics/logger.ts'
import { type EventStream, encodeEvents, openEventStream } from '#platform/http/event-stream.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { addLiveLag, PollLoop } from '#platform/jobs/poll-loop.ts'
import type { FiguresStore } from '../figures/store.ts'
import type { Addresses } from '../model/config.ts'
import { workspaceNotFound } from '../model/errors.ts'
import { type Publication, selectPublications } from '../model/publication-rows.ts'
import { WorkspaceParams } from '../model/schemas.ts'
import type { PublicationsTables } from '../model/tables.ts'
import type { WorkspacesStore } from '../model/workspaces-store.ts'
import { libraryEntry } from './library-schemas.ts'
import { requireWorkspace } from './operator-workspaces-store.ts'

type Deps = {
  db: Kysely<PublicationsTables>
  figures: FiguresStore
  addresses: Addresses
  /** Gets the metric of how far watchers are behind. */
  registry: Registry
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
  readonly #deps: Deps
  readonly #workspaceId: string
  readonly #streams = new Set<EventStream>()
  readonly #joining = new Set<EventStream>()
  /** The last state of each publication that was sent. */
  readonly #sent = new Map<string, string>()
  /** Deleted publications that were sent, by their ids, and whether they were in the bin. */
  readonly #deleted = new Map<string, boolean>()
  #inProgress = new Set<string>()
  #clockMs: number | undefined
  readonly #loop: PollLoop
  readonly #ended = Promise.withResolvers<void>()

  constructor(deps: Deps, workspaceId: string, onEnd: () => void) {
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
    // What was restored may be deleted again.
    for (const { id } of found) this.#deleted.delete(id)
    const deleted = await findDeleted(db, this.#workspaceId)
    // One that leaves the bin for good is sent again.
    const newly = deleted.filter(({ id, isBinned }) => this.#deleted.get(id) !== isBinned)
    if (isFirst) this.#remember(found)
    else await this.#sendChanges(this.#changesOf(found), newly)
    for (const { id, isBinned } of newly) this.#deleted.set(id, isBinned)
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

  async #sendChanges(changed: readonly Publication[], deleted: readonly { id: string }[]): Promise<void> {
    const { figures, addresses, now } = this.#deps
    const views = await figures.totalViews(changed.map(({ id }) => id))
    this.#remember(changed)
    for (const publication of changed) {
      this.#send('publication', libraryEntry(publication, views.get(publication.id) ?? 0, addresses, now()))
    }
    for (const { id } of deleted) this.#send('publication-deleted', { id })
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

/** The open watches of workspaces on this instance. */
export type LibraryWatches = ReturnType<typeof createLibraryWatches>

export function createLibraryWatches(deps: Deps) {
  const watches = new Map<string, LibraryWatch>()
  addLiveLag(deps.registry, 'publications', () => watches.values())
  return {
    /** Sends the changes of a workspace to a stream until it ends. */
    join(workspaceId: string, stream: EventStream): void {
      if (stream.closed.aborted) return
      const onEnd = () => watches.delete(workspaceId)
      const watch = watches.get(workspaceId) ?? new LibraryWatch(deps, workspaceId, onEnd)
      watches.set(workspaceId, watch)
      watch.join(stream)
    },

    /** Ends all streams; resolves when the database is no longer used. */
    async close(): Promise<void> {
      await Promise.all([...watches.values()].map((watch) => watch.close()))
    },
  }
}

/** Returns a text that differs whenever there is something to send. */
function stateOf({ updated_at, version_id, status, pages_ready }: Publication): string {
  return `${updated_at} ${version_id} ${status} ${pages_ready}`
}

/** Literal conditions of the indices, which are not used with parameters in their place. */
const isDeleted = sql<boolean>`deleted_at is not null`
const hasWork = sql<boolean>`versions.has_work = 1`

/** Finds publications of a workspace that have changed since a time, apart from progress of rendering. */
async function findChanged(
  db: Kysely<PublicationsTables>,
  workspaceId: string,
  sinceMs: number,
): Promise<Publication[]> {
  return await selectPublications(db)
    .where('publications.workspace_id', '=', workspaceId)
    .where('publications.updated_at', '>=', sinceMs)
    .orderBy('publications.updated_at')
    .execute()
}

/** Finds publications of a workspace that are being rendered. */
async function findInProgress(db: Kysely<PublicationsTables>, workspaceId: string): Promise<Publication[]> {
  return await selectPublications(db).where('publications.workspace_id', '=', workspaceId).where(hasWork).execute()
}

/** Finds publications by their ids, without deleted ones. */
async function findByIds(db: Kysely<PublicationsTables>, ids: readonly string[]): Promise<Publication[]> {
  if (ids.length === 0) return []
  return await selectPublications(db).where('publications.id', 'in', ids).execute()
}

/** Finds deleted publications of a workspace, in the bin or not; their rows stay for at least two minutes. */
async function findDeleted(
  db: Kysely<PublicationsTables>,
  workspaceId: string,
): Promise<{ id: string; isBinned: boolean }[]> {
  const rows = await db
    .selectFrom('publications')
    .select(['id', 'binned_at'])
    .where(isDeleted)
    .where('workspace_id', '=', workspaceId)
    .execute()
  return rows.map(({ id, binned_at }) => ({ id, isBinned: binned_at !== null }))
}

/** Returns the time of the latest change to a publication of a workspace; 0 if there are none. */
async function latestChangeMs(db: Kysely<PublicationsTables>, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('publications')
    .select('updated_at')
    .where('workspace_id', '=', workspaceId)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.updated_at ?? 0
}

async function workspaceExists(db: Kysely<PublicationsTables>, workspaceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** A stream ends after this time, and the page reconnects, which shows that its session is in use. */
const LIFETIME_MS = 10 * 60_000

type RouteDeps = { workspaces: WorkspacesStore; libraryWatches: LibraryWatches }

/** GET /operator/workspaces/:id/live */
export function watchLibrary(app: HttpServer, { workspaces, libraryWatches }: RouteDeps) {
  app.get(
    '/operator/workspaces/:id/live',
    {
      schema: {
        operationId: 'operatorWatchLibrary',
        summary: 'Watch a library',
        description: `Server-sent events: \`ready\` once the stream follows the library, so that a list read afterwards misses nothing;
\`publication\` (an entry of the list, as it is now) for each one that is new, has changed or has made progress;
\`publication-deleted\` with \`id\`, and again when it leaves the bin for good; \`ended\` when the workspace is gone. The stream ends after some minutes, and the client
reconnects.`,
        tags: ['Library'],
        params: WorkspaceParams,
        produces: ['text/event-stream'],
        response: { 200: Type.String({ description: 'A stream of events.' }) },
        problems: [workspaceNotFound, rateLimited, unavailable],
      },
    },
    async (request, reply) => {
      const { id } = await requireWorkspace(workspaces, request.params.id)
      libraryWatches.join(id, openEventStream(request, reply, { service: 'publications', subject: id }, LIFETIME_MS))
    },
  )
}
