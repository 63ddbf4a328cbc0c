/**
 * Names kept in all. Every connection keeps its own copy of each plan on the server, some tens of kilobytes,
 * for as long as it lives.
 */
const MAX_NAMES = 300

/** Longer texts are lists of values in ever new lengths, which would fill the room with what is used once. */
const MAX_TEXT_LENGTH = 4_000

/**
 * Names for SQL texts, so that PostgreSQL parses and plans each once per connection. A text gets one when it comes the
 * second time, while there is room, and keeps it: a name must never mean two texts on one connection.
 */
export function statementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  return (sql) => {
    const known = names.get(sql)
    if (known !== undefined || names.size >= MAX_NAMES || sql.length > MAX_TEXT_LENGTH) return known
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
