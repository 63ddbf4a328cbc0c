import { inTime } from '../basics/timers.ts'
import { type Migration, presentNames } from '../database/migrate.ts'

/** The result of a check: the observation, its meaning and, unless all is well, a remedy. Contains no secrets. */
export type Finding = {
  /** The part of the installation: `settings`, `disk`, `database`. */
  part: string
  /** The check: a setting, a file, a property. */
  check: string
  level: 'ok' | 'warning' | 'error'
  found: string
  remedy?: string
}

/** A group of checks of one part of the installation. */
export type Check = { part: string; run(): Promise<readonly Finding[]> }

/** Makes findings of one part. */
export function findingsOf(part: string) {
  return {
    ok: (check: string, found: string): Finding => ({ part, check, level: 'ok', found }),
    warning: (check: string, found: string, remedy: string): Finding => ({
      part,
      check,
      level: 'warning',
      found,
      remedy,
    }),
    error: (check: string, found: string, remedy: string): Finding => ({ part, check, level: 'error', found, remedy }),
  }
}

/** Time for all checks of a part. A check that hangs is a finding, too. */
const CHECK_WITHIN_MS = 30_000

/**
 * Runs checks one after the other, so that none disturbs the measurements of another. A check that fails is a finding.
 */
export async function runChecks(checks: readonly Check[], withinMs = CHECK_WITHIN_MS): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { part, run } of checks) findings.push(...(await runCheck(part, run, withinMs)))
  return findings
}

async function runCheck(part: string, run: Check['run'], withinMs: number): Promise<readonly Finding[]> {
  const { error } = findingsOf(part)
  const late = `The checks did not end within ${withinMs / 1000} s.`
  try {
    return await inTime(withinMs, run(), () => [error('time', late, 'Look for what hangs: a disk, a network.')])
  } catch (cause) {
    return [
      error(
        'check',
        `The check failed: ${(cause as Error).message}`,
        'Read the message above, and run the doctor again.',
      ),
    ]
  }
}

/** Returns the worst level of findings. */
export function worstOf(findings: readonly Finding[]): Finding['level'] {
  return (['error', 'warning'] as const).find((level) => findings.some((finding) => finding.level === level)) ?? 'ok'
}

/** Formats findings for people, by their part, with the remedy below each that needs one. */
export function reportOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = [...Map.groupBy(findings, ({ part }) => part)].flatMap(([part, own]) => [
    part,
    ...own.flatMap(({ level, check, found, remedy }) => [
      `  ${level.padEnd(8)}${check.padEnd(width + 2)}${found}`,
      ...(remedy === undefined ? [] : [`${' '.repeat(width + 12)}→ ${remedy}`]),
    ]),
    '',
  ])
  return `${lines.join('\n')}\n${counted(findings, 'error')}, ${counted(findings, 'warning')}, ${counted(findings, 'ok')}\n`
}

function counted(findings: readonly Finding[], level: Finding['level']): string {
  const count = findings.filter((finding) => finding.level === level).length
  return `${count} ${level}${level === 'ok' || count === 1 ? '' : 's'}`
}

const { ok, warning, error } = findingsOf('database')

/** A migration that has run, with the version of the program that ran it. */
export type AppliedMigration = { name: string; program_version: string | null }

/** Tells whether the next start of this program can use a database, and whether it changes it. */
export function migrationFinding(
  name: string,
  applied: readonly AppliedMigration[],
  migrations: Record<string, Migration>,
): Finding {
  const check = `${name} migrations`
  if (applied.length === 0) return ok(check, 'None have run yet; the first start runs them.')
  const before = applied.map((each) => each.name)
  let names: string[]
  try {
    names = presentNames(before, migrations)
  } catch (cause) {
    return error(check, (cause as Error).message, 'Make a backup, and start that version first.')
  }
  const newest = applied.toSorted((a, b) => (a.name < b.name ? -1 : 1)).at(-1)!
  if (names.some((each) => !(each in migrations))) {
    const version = newest.program_version ?? 'a newer version'
    return error(
      check,
      `Trackpress ${version} has upgraded the database to ${newest.name}; this program is older.`,
      `Start Trackpress ${version} or newer.`,
    )
  }
  const pending = Object.keys(migrations).length - names.length
  if (pending === 0 && names.every((each) => before.includes(each))) return ok(check, `Up to date: ${newest.name}.`)
  return warning(
    check,
    pending === 0
      ? 'The next start replaces the record of former migrations.'
      : `The next start runs ${pending} migrations.`,
    'Make a backup, read CHANGELOG.md, and start the server.',
  )
}
