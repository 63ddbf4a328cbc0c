import type { Kysely } from 'kysely'
import { foldText } from '#platform/basics/text.ts'
import type { TracksTables } from './tables.ts'

/** A track that may belong to a runner of the start list. `runner_name` is missing where it was not looked up. */
export type NamedTrack = { title: string; runner_name?: string | null }

/** Returns the name of a runner as it is everywhere: `117 · Anna Martin`. A bib that is the name stands once. */
export function runnerName({ bib, name }: { bib: string; name: string }): string {
  return bib === name ? name : `${bib} · ${name}`
}

/** Returns the name of a track: its runner's on the start list, else its title. */
export function trackName({ title, runner_name }: NamedTrack): string {
  return runner_name ?? title
}

type OwnedRow = { event_id: string; user_id: string | null }

/** Runners of one statement. */
const RUNNERS_PER_READ = 500

/** Adds the names of their runners to tracks; null for a runner that no start list has. */
export async function withRunnerNames<Row extends OwnedRow>(
  db: Kysely<TracksTables>,
  rows: readonly Row[],
): Promise<(Row & { runner_name: string | null })[]> {
  const names = new Map<string, string>()
  for (const [eventId, ofEvent] of Map.groupBy(rows, ({ event_id }) => event_id)) {
    const userIds = [...new Set(ofEvent.flatMap(({ user_id }) => user_id ?? []))]
    for (let i = 0; i < userIds.length; i += RUNNERS_PER_READ) {
      // On their own: an event may lie on another machine than its tracks.
      const runners = await db
        .selectFrom('runners')
        .select(['user_id', 'bib', 'name'])
        .where('event_id', '=', eventId)
        .where('user_id', 'in', userIds.slice(i, i + RUNNERS_PER_READ))
        .execute()
      for (const runner of runners) names.set(`${eventId} ${runner.user_id}`, runnerName(runner))
    }
  }
  return rows.map((row) => ({ ...row, runner_name: names.get(`${row.event_id} ${row.user_id}`) ?? null }))
}

/** Runners that are read and folded at once: a millisecond of work. */
const FOLDED_PER_READ = 1000
/** Matches that are used. A text that more runners have says little. */
const MAX_MATCHES = 500

/**
 * Returns the `user_id` of runners whose name, as pages show it, contains a text.
 * @param text folded by `foldText`
 */
export async function runnersNamed(db: Kysely<TracksTables>, eventId: string, text: string): Promise<string[]> {
  const found: string[] = []
  let lastOrder = 0
  while (found.length < MAX_MATCHES) {
    const runners = await db
      .selectFrom('runners')
      .select(['user_id', 'bib', 'name', 'list_order'])
      .where('event_id', '=', eventId)
      .where('list_order', '>', lastOrder)
      .orderBy('list_order')
      .limit(FOLDED_PER_READ)
      .execute()
    for (const runner of runners) if (foldText(runnerName(runner)).includes(text)) found.push(runner.user_id)
    if (runners.length < FOLDED_PER_READ) break
    lastOrder = runners[runners.length - 1].list_order
  }
  return found.slice(0, MAX_MATCHES)
}
