import type { Kysely } from 'kysely'
import { foldText } from '#platform/basics/text.ts'
import { runnerName } from './runner-names.ts'
import type { TracksTables } from './tables.ts'

/** Runners that are read and folded at once: a millisecond of work. */
const RUNNERS_PER_READ = 1000
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
      .limit(RUNNERS_PER_READ)
      .execute()
    for (const runner of runners) if (foldText(runnerName(runner)).includes(text)) found.push(runner.user_id)
    if (runners.length < RUNNERS_PER_READ) break
    lastOrder = runners[runners.length - 1].list_order
  }
  return found.slice(0, MAX_MATCHES)
}
