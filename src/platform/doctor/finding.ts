/** The result of a check: what was found, what that means and, unless all is well, what to do. Contains no secrets. */
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

/** Time for all checks of a part. What hangs is a finding, too. */
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
  const { promise: late, resolve } = Promise.withResolvers<Finding[]>()
  const timer = setTimeout(() => {
    const seconds = withinMs / 1000
    resolve([error('time', `The checks did not end within ${seconds} s.`, 'Look for what hangs: a disk, a network.')])
  }, withinMs)
  try {
    return await Promise.race([run(), late])
  } catch (cause) {
    return [
      error(
        'check',
        `The check failed: ${(cause as Error).message}`,
        'Read the message above, and run the doctor again.',
      ),
    ]
  } finally {
    clearTimeout(timer)
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
