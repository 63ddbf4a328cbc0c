import { type QueryExecutorProvider, sql } from 'kysely'
import { Client } from 'pg'
import { ticking } from '../basics/timers.ts'
import { isDatabaseUnreachable, translateFailure } from './database-failure.ts'
import type { NoticeListener, Notices } from './notices.ts'
import { type ConnectionGate, type PostgresOptions, postgresConfig } from './postgres-pool.ts'

const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 1_000

/** Interval of checks. A connection can be dead for a long time without either side noticing. */
const HEARTBEAT_MS = 1_000
/** Time without an answer after which the connection is given up. A busy server answers `select 1` much sooner. */
const SILENCE_MS = 3_000
/** Time for the connection that replaces it. If it fails, too, the database does not answer: at most 6.6 s in all. */
const RECONNECT_WITHIN_MS = 2_500
/** Time for the first connection, while nobody waits for an answer. */
const CONNECT_WITHIN_MS = 10_000
/** Step in which these times are counted. */
const COUNT_EVERY_MS = 250
const GOODBYE_MS = 1_000

/** Methods of the connection that the types of `pg` leave out. */
type ReferencedClient = Client & { ref(): void; unref(): void; connection: { stream: { destroy(): void } } }

/**
 * Notices over LISTEN and NOTIFY, on a connection of their own that reconnects until `close` is called. A
 * channel is named after the schema and the topic, so services on one database do not receive each other's
 * notices. As this connection is checked all the time, it also shows whether the database answers at all, and
 * shuts the gate of all others if it does not.
 */
export class PostgresNotices implements Notices {
  readonly #options: PostgresOptions
  readonly #db: QueryExecutorProvider
  readonly #gate: ConnectionGate
  readonly #listeners = new Map<string, Set<NoticeListener>>()
  #client: Client | undefined
  #isConnected = false
  #hasConnected = false
  /** Listeners whose LISTEN has not been confirmed yet. */
  readonly #unheard = new Set<NoticeListener>()
  #isClosed = false
  #heartbeat: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #retryMs = FIRST_RETRY_MS
  /** The last query. A client runs one query at a time, so the next one waits for this. */
  #lastQuery: Promise<unknown> = Promise.resolve()

  constructor(options: PostgresOptions, db: QueryExecutorProvider, gate: ConnectionGate) {
    this.#options = options
    this.#db = db
    this.#gate = gate
  }

  isLive(): boolean {
    return this.#isConnected && this.#unheard.size === 0
  }

  async publish(topic: string, payload: string, within: QueryExecutorProvider = this.#db): Promise<void> {
    await sql`select pg_notify(${this.#channel(topic)}, ${payload})`.execute(within)
  }

  subscribe(topic: string, listener: NoticeListener): () => void {
    const channel = this.#channel(topic)
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(listener))
    // A new connection starts with a LISTEN for every channel.
    if (this.#isConnected) this.#beginToListen(channel, listener)
    return () => listeners.delete(listener)
  }

  /** Connects, and tells every listener that notices may have been missed. */
  async connect(): Promise<void> {
    // Limits of time are our own, see `breakWhenSilent`.
    const client = new Client({
      ...postgresConfig(this.#options),
      connectionTimeoutMillis: 0,
      query_timeout: undefined,
    })
    client.on('error', (error) => this.#lose(error, client))
    client.on('end', () => this.#lose(new Error('The connection ended'), client))
    client.on('notification', ({ channel, payload }) => this.#deliver(channel, payload ?? ''))
    this.#client = client
    try {
      const withinMs = this.#hasConnected ? RECONNECT_WITHIN_MS : CONNECT_WITHIN_MS
      await breakWhenSilent(client, withinMs, () => client.connect())
      for (const channel of this.#listeners.keys()) await this.#listen(channel)
    } catch (error) {
      this.#lose(error as Error, client)
      // This connection was lost, and no other can be made.
      if (isDatabaseUnreachable(error) && !this.#isClosed) this.#gate.shut()
      throw translateFailure(error)
    }
    if (client !== this.#client) return // The types of `pg` leave it out.
    ;(client as Client & { unref(): void }).unref()
    this.#isConnected = true
    this.#hasConnected = true
    this.#gate.open()
    this.#retryMs = FIRST_RETRY_MS
    this.#beat(client)
    for (const channel of this.#listeners.keys()) this.#deliver(channel, undefined)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    const client = this.#client
    this.#drop()
    if (client === undefined) return
    ;(client as ReferencedClient).ref()
    // A server that does not answer does not say goodbye either.
    const goodbye = setTimeout(() => (client as ReferencedClient).connection.stream.destroy(), GOODBYE_MS)
    await client.end().catch(() => {})
    clearTimeout(goodbye)
  }

  #channel(topic: string): string {
    return `${this.#options.schema}.${topic}`
  }

  #beginToListen(channel: string, listener: NoticeListener): void {
    this.#unheard.add(listener)
    this.#listen(channel).then(
      () => {
        if (this.#unheard.delete(listener)) listener(undefined)
      },
      (error) => this.#lose(error),
    )
  }

  async #listen(channel: string): Promise<void> {
    const client = this.#client
    if (client !== undefined) await this.#query(client, `listen ${client.escapeIdentifier(channel)}`)
  }

  #query(client: Client, text: string): Promise<unknown> {
    const answer = this.#lastQuery.then(() => breakWhenSilent(client, SILENCE_MS, () => client.query(text)))
    this.#lastQuery = answer.catch(() => {})
    return answer
  }

  #deliver(channel: string, payload: string | undefined): void {
    for (const listener of this.#listeners.get(channel) ?? []) {
      try {
        listener(payload)
      } catch (error) {
        // During an upgrade, an instance of another version may send notices that this one cannot read. Notices may be
        // missed.
        this.#options.onUnreadNotice?.(error as Error, channel)
      }
    }
  }

  #beat(client: Client): void {
    this.#heartbeat = setTimeout(async () => {
      try {
        await this.#query(client, 'select 1')
        if (client === this.#client) this.#beat(client)
      } catch (error) {
        this.#lose(error as Error, client)
      }
    }, HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  #lose(error: Error, client = this.#client): void {
    if (this.#isClosed || client !== this.#client || client === undefined) return
    this.#drop()
    client.end().catch(() => {})
    this.#options.onLostConnection?.(error)
    this.#retry = setTimeout(() => this.connect().catch(() => {}), this.#retryMs)
    this.#retry.unref()
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS)
  }

  #drop(): void {
    this.#client = undefined
    this.#isConnected = false
    this.#unheard.clear()
    clearTimeout(this.#heartbeat)
  }
}

/**
 * Breaks a connection that gives no answer in time. Counts in steps, so that a stall of this process does not look like
 * the silence of the server: its answer is read between two steps.
 */
async function breakWhenSilent(client: Client, withinMs: number, ask: () => Promise<unknown>): Promise<unknown> {
  let silentMs = 0
  const stopCounting = ticking(COUNT_EVERY_MS, () => {
    silentMs += COUNT_EVERY_MS
    if (silentMs >= withinMs) (client as ReferencedClient).connection.stream.destroy()
  })
  try {
    return await ask()
  } finally {
    stopCounting()
  }
}
