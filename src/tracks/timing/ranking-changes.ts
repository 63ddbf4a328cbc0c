import type { RankingEntry } from '../schemas/race.ts'

/** Progress that is worth a message of its own: less would send every entry with every point. */
const MIN_PROGRESS_METERS = 30

/** Entries as they were sent. */
export type SentEntries = ReadonlyMap<string, RankingEntry>

/** Returns the entries by what tells runners apart: their bibs, and for others their tracks. */
export function entriesByRunner(entries: readonly RankingEntry[]): SentEntries {
  return new Map(entries.map((entry) => [entry.bib === null ? `track ${entry.track_id}` : `bib ${entry.bib}`, entry]))
}

/**
 * Returns the entries that differ from those sent before, and what will have been sent then. Undefined if a runner is
 * gone, or the entries are those of another race: then all of them have to be read again.
 */
export function changedEntries(
  before: SentEntries,
  entries: readonly RankingEntry[],
): { changed: RankingEntry[]; sent: SentEntries } | undefined {
  const now = entriesByRunner(entries)
  for (const key of before.keys()) if (!now.has(key)) return undefined
  const changed: RankingEntry[] = []
  const sent = new Map<string, RankingEntry>()
  for (const [key, entry] of now) {
    const last = before.get(key)
    const isChanged = last === undefined || differs(last, entry)
    if (isChanged) changed.push(entry)
    sent.set(key, isChanged ? entry : last)
  }
  return { changed, sent }
}

function differs(a: RankingEntry, b: RankingEntry): boolean {
  if (Math.abs(a.progress_m - b.progress_m) >= MIN_PROGRESS_METERS) return true
  if ((a.off_course_m === null) !== (b.off_course_m === null)) return true
  return JSON.stringify(lasting(a)) !== JSON.stringify(lasting(b))
}

function lasting({ progress_m: _, distance_to_go_m: __, off_course_m: ___, ...rest }: RankingEntry) {
  return rest
}
