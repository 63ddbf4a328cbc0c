import type { Pool, PoolClient } from 'pg'
import { databaseUnavailable } from '../database-failure.ts'

/** Field that the types of `pg` leave out. */
type ClientWithStream = PoolClient & { connection: { stream: { destroy(): void } } }

/**
 * Shuts the connections to a database that does not answer. TCP reports neither a frozen server nor a cut line, and
 * every query would wait for its own time limit, one after the other. While the gate is shut, queries fail at once.
 */
export class ConnectionGate {
  readonly #clients = new Set<PoolClient>()
  #isShut = false

  /** Has the gate shut the connections of this pool, too. */
  watch(pool: Pool): void {
    pool.on('connect', (client) => this.#clients.add(client))
    pool.on('remove', (client) => this.#clients.delete(client))
  }

  /** @throws UNAVAILABLE while the gate is shut */
  requireOpen(): void {
    if (this.#isShut) throw databaseUnavailable()
  }

  /** Breaks off all connections with what runs on them. A commit under way may or may not be carried out. */
  shut(): void {
    this.#isShut = true
    for (const client of this.#clients) (client as ClientWithStream).connection.stream.destroy()
  }

  open(): void {
    this.#isShut = false
  }
}
