import { type Finding, findingsOf } from './finding.ts'

const { ok, warning, error } = findingsOf('database')

/** Tells whether the next start of this program can use a database, and whether it changes it. */
export function migrationFinding(
  name: string,
  applied: readonly { name: string; program_version?: string | null }[],
  known: readonly string[],
): Finding {
  const check = `${name} migrations`
  if (applied.length === 0) return ok(check, 'None have run yet; the first start runs them.')
  const names = applied.map((each) => each.name)
  const newest = applied.toSorted((a, b) => (a.name < b.name ? -1 : 1)).at(-1)!
  if (names.some((each) => !known.includes(each))) {
    const version = newest.program_version ?? 'a newer version'
    return error(
      check,
      `Trackpress ${version} has upgraded the database to ${newest.name}; this program is older.`,
      `Start Trackpress ${version} or newer.`,
    )
  }
  const pending = known.length - applied.length
  if (pending === 0) return ok(check, `Up to date: ${newest.name}.`)
  return warning(
    check,
    `The next start runs ${pending} migrations.`,
    'Make a backup, read CHANGELOG.md, and start the server.',
  )
}
