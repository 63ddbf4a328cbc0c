/**
 * Maximum number of names. Every connection keeps its own copy of each plan on the server for
 * its lifetime, some tens of kilobytes each.
 */
const MAX_NAMES = 300

/** Longer texts are lists of values of varying length. Their plans would rarely be used again. */
const MAX_TEXT_LENGTH = 4_000

/** A plan suits one pattern, not the next: some match every row, others none. */
const PATTERN = / like \$/

/**
 * Names SQL texts so that PostgreSQL parses and plans each once per connection. A text gets a name on its second use,
 * up to the maximum, and keeps it: a name must never stand for two texts on one connection.
 */
export function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= MAX_NAMES || sql.length > MAX_TEXT_LENGTH) return known
    if (PATTERN.test(sql)) return undefined
    if (!seenOnce.delete(sql)) {
      if (seenOnce.size >= MAX_NAMES) seenOnce.clear()
      seenOnce.add(sql)
      return undefined
    }
    const name = `q${names.size + 1}`
    names.set(sql, name)
    return name
  }
}
