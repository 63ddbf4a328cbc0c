import type { Kysely, Transaction } from 'kysely'
import { type FieldError, invalidFields } from '#platform/basics/errors.ts'
import type { RunnerRow, TracksTables } from '../model/tables.ts'
import { type ListedRunner, MAX_RUNNERS } from './start-list.ts'

/** Changes of a runner. The `user_id` and the place in the list stay. */
export type RunnerChanges = Partial<Omit<RunnerRow, 'event_id' | 'user_id' | 'list_order'>>

/** A track as a list of people needs it. */
export type TrackOfPerson = { id: string; user_id: string; start_ms: number; last_point_ms: number | null }

/** Rows of one statement: each has a value for ten columns. */
const RUNNERS_PER_INSERT = 900

function selectRunners(db: Kysely<TracksTables>, eventId: string) {
  return db.selectFrom('runners').selectAll().where('event_id', '=', eventId)
}

/** Replaces the start list of a locked race. */
export async function replaceRunners(
  transaction: Transaction<TracksTables>,
  eventId: string,
  runners: readonly ListedRunner[],
): Promise<void> {
  const stored = await selectRunners(transaction, eventId).execute()
  const byBib = new Map(stored.map((runner) => [runner.bib, runner]))
  const bibs = new Set(runners.map(({ bib }) => bib))
  const byUser = new Map(stored.filter(({ bib }) => !bibs.has(bib)).map((runner) => [runner.user_id, runner]))
  const rows = runners.map((runner, i) => {
    const known = byBib.get(runner.bib) ?? byUser.get(runner.user_id)
    const status = runner.status === undefined ? (known?.status ?? null) : runner.status
    const isSame = known !== undefined && known.status === status
    const status_at_ms = isSame ? known.status_at_ms : null
    const status_place = isSame ? known.status_place : null
    const phone = runner.phone === undefined ? (known?.phone ?? null) : runner.phone
    return { ...runner, phone, status, event_id: eventId, list_order: i + 1, status_at_ms, status_place }
  })
  await transaction.deleteFrom('runners').where('event_id', '=', eventId).execute()
  for (let i = 0; i < rows.length; i += RUNNERS_PER_INSERT) {
    await transaction
      .insertInto('runners')
      .values(rows.slice(i, i + RUNNERS_PER_INSERT))
      .execute()
  }
}

/** Adds a runner at the end of a locked start list. @throws problems with fields that are taken */
export async function addRunner(
  transaction: Transaction<TracksTables>,
  eventId: string,
  runner: ListedRunner,
): Promise<RunnerRow> {
  const stored = await selectRunners(transaction, eventId).execute()
  const wrong = takenFields(stored, runner)
  if (stored.length >= MAX_RUNNERS) wrong.push({ path: '', message: `must not be added to ${MAX_RUNNERS} runners` })
  if (wrong.length > 0) throw invalidFields(wrong)
  const list_order = stored.reduce((last, one) => Math.max(last, one.list_order), 0) + 1
  const own = { phone: null, status: null, status_at_ms: null, status_place: null, ...runner }
  const insertion = transaction.insertInto('runners').values({ ...own, event_id: eventId, list_order })
  return await insertion.returningAll().executeTakeFirstOrThrow()
}

/**
 * Changes a runner of a locked start list.
 * @returns the runner; undefined if there is none
 * @throws the errors of `decide`, and a problem with a bib that is taken
 */
export async function changeRunner(
  transaction: Transaction<TracksTables>,
  eventId: string,
  userId: string,
  decide: (runner: RunnerRow) => RunnerChanges,
): Promise<RunnerRow | undefined> {
  const current = await selectRunners(transaction, eventId).where('user_id', '=', userId).executeTakeFirst()
  if (current === undefined) return undefined
  const changes = decide(current)
  if (Object.keys(changes).length === 0) return current
  const { bib = current.bib } = changes
  const others = await selectRunners(transaction, eventId)
    .where('bib', '=', bib)
    .where('user_id', '!=', userId)
    .execute()
  const taken = takenFields(others, { bib, user_id: userId })
  if (taken.length > 0) throw invalidFields(taken)
  const update = transaction.updateTable('runners').set(changes).where('event_id', '=', eventId)
  return await update.where('user_id', '=', userId).returningAll().executeTakeFirstOrThrow()
}

/** Removes a runner from a locked start list. @returns false if there is none */
export async function removeRunner(
  transaction: Transaction<TracksTables>,
  eventId: string,
  userId: string,
): Promise<boolean> {
  const deletion = transaction.deleteFrom('runners').where('event_id', '=', eventId)
  const { numDeletedRows } = await deletion.where('user_id', '=', userId).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Returns the tracks of people in an event, in no order. */
export async function tracksOfPeople(db: Kysely<TracksTables>, eventId: string): Promise<TrackOfPerson[]> {
  return await db
    .selectFrom('tracks')
    .select(['user_id', 'id', 'start_ms', 'last_point_ms'])
    .where('event_id', '=', eventId)
    .where('user_id', 'is not', null)
    .$narrowType<{ user_id: string }>()
    .execute()
}

/** Returns the problems of a runner with a bib or a `user_id` that others have. */
function takenFields(others: readonly RunnerRow[], { bib, user_id }: { bib: string; user_id: string }): FieldError[] {
  const taken: FieldError[] = []
  if (others.some((one) => one.bib === bib)) taken.push({ path: 'bib', message: 'must be unique' })
  if (others.some((one) => one.user_id === user_id)) taken.push({ path: 'user_id', message: 'must be unique' })
  return taken
}
