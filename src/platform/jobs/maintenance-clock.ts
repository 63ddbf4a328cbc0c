import type { Kysely } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Command } from '../basics/command.ts'
import type { Logger } from '../basics/logger.ts'
import { formatDateTime } from '../basics/time.ts'

/** One row, with the id 1: the time that maintenance of this database has reached. */
export type MaintenanceTables = { maintenance: { id: number; reached_at: number } }

/** Number of things that would be deleted by their age, and whether they are a large share of all. */
export type Overdue = { count: number; isLarge: boolean }

/** Deletions by age that wait until somebody says that the clock is right. */
type MaintenanceHold = { service: string; reachedMs: number; nowMs: number; overdueCount: number }

/** Maintenance of a running service: its clock, and how to run it now. */
export type ServiceMaintenance = { clock: MaintenanceClock; run(): void }

const DAY_MS = 86_400_000
/** Maintenance runs each hour. A server that was off for a night goes on as if nothing had been. */
const PASSES_MS = DAY_MS
/** Longer than a holiday, after which nobody is asked unless much would be deleted at once. */
const PAUSE_MS = 30 * DAY_MS
/** Share of all things whose deletion at once needs a confirmation after such a pause. */
const LARGE_SHARE = 0.1

const ROW_ID = 1

type Options = {
  db: Kysely<never>
  service: string
  logger: Logger
  now: () => number
  registry?: Registry | undefined
  /** Counts the things that would be deleted by their age. */
  countOverdue(nowMs: number): Promise<Overdue>
}

/** Tells whether a part of a whole counts as large. */
export function isLargeShare(count: number, all: number): boolean {
  return count > all * LARGE_SHARE
}

/** Writes down that maintenance of a database has reached a time, whether later or earlier than before. */
async function reachTime(db: Kysely<MaintenanceTables>, nowMs: number): Promise<void> {
  await db
    .insertInto('maintenance')
    .values({ id: ROW_ID, reached_at: nowMs })
    .onConflict((row) => row.column('id').doUpdateSet({ reached_at: nowMs }))
    .execute()
}

/**
 * Decides whether maintenance of a service may delete what has passed its time. A clock that is years ahead makes
 * everything old at once. So deletions wait if the clock has passed over more than a day since the last maintenance,
 * and either over more than a month or over so little that a large share of something became old meanwhile. Confirming
 * the clock, or a clock that is right again, ends that.
 */
export class MaintenanceClock {
  readonly #options: Options
  readonly #db: Kysely<MaintenanceTables>
  #hold: MaintenanceHold | undefined

  constructor(options: Options) {
    this.#options = options
    this.#db = options.db as unknown as Kysely<MaintenanceTables>
    const { registry, service } = options
    if (registry === undefined) return
    const holdOf = () => this.#hold
    new Gauge({
      name: `${service}_deletions_held`,
      help: '1 while nothing is deleted by its age, because the clock has passed over days since the last upkeep.',
      registers: [registry],
      collect() {
        this.set(holdOf() === undefined ? 0 : 1)
      },
    })
  }

  /** The deletions that wait, as the latest maintenance found them. */
  get hold(): MaintenanceHold | undefined {
    return this.#hold
  }

  /** Tells whether maintenance may delete by age now. */
  async mayDelete(): Promise<boolean> {
    const { service, logger, now, countOverdue } = this.#options
    const db = this.#db
    const nowMs = now()
    const row = await db.selectFrom('maintenance').select('reached_at').where('id', '=', ROW_ID).executeTakeFirst()
    const reachedMs = row?.reached_at ?? nowMs
    const passedMs = nowMs - reachedMs
    if (passedMs > PASSES_MS) {
      const { count, isLarge } = await countOverdue(nowMs)
      if (isLarge || passedMs > PAUSE_MS) {
        this.#hold = { service, reachedMs, nowMs, overdueCount: count }
        logger.error(
          { service, lastUpkeep: formatDateTime(reachedMs), clock: formatDateTime(nowMs), overdue: count },
          'nothing is deleted by its age until an owner confirms the clock in the dashboard, or `admin upkeep confirm` does',
        )
        return false
      }
    }
    this.#hold = undefined
    await reachTime(db, nowMs)
    return true
  }

  /** Accepts the clock as it is. The next maintenance deletes the waiting things. */
  async confirm(): Promise<void> {
    await reachTime(this.#db, this.#options.now())
    this.#hold = undefined
  }
}

/** Creates the table of the time that maintenance has reached, for the migrations of the services. */
export async function createMaintenanceTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('maintenance')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('reached_at', 'bigint', (column) => column.notNull())
    .execute()
}

/** A service whose maintenance deletes by age. */
type MaintenancePart = { service: string; db: Kysely<never> }

/** The command that lets deletions by age go on after the clock has passed over days. */
export function maintenanceCommands(parts: readonly MaintenancePart[], now: () => number): Command[] {
  const confirm: Command = {
    usage: 'upkeep confirm',
    doc: 'Says that the clock of this machine is right. The next upkeep, within an hour, deletes what is too old.',
    async run() {
      const nowMs = now()
      for (const { db } of parts) await reachTime(db as unknown as Kysely<MaintenanceTables>, nowMs)
      return { clock: formatDateTime(nowMs), services: parts.map(({ service }) => service) }
    },
  }
  return [confirm]
}
