import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { run } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

type AttackResult = {
  /** The file's name without its ending. */
  file: string
  name: string
  isHeld: boolean
  /** The figures as the test printed them; empty if it failed before. */
  figures: string
  failure: string | undefined
}

export type AttackOptions = { database: 'sqlite' | 'postgres'; onResult(result: AttackResult): void }

/** Finds the files of attacks whose name contains one of the words; all without words. */
export function findAttacks(words: readonly string[]): string[] {
  const files = globSync('test/attacks/**/*.test.ts', { cwd: ROOT }).sort()
  return files
    .filter((file) => words.length === 0 || words.some((word) => basename(file).includes(word)))
    .map((file) => join(ROOT, file))
}

/** Runs one file after the other at full size, because attacks would disturb each other's measurements. */
export async function runAttacks(files: string[], { database, onResult }: AttackOptions): Promise<AttackResult[]> {
  Object.assign(process.env, { ATTACK_SIZE: 'full', TEST_DATABASES: database, TZ: 'UTC' })
  const events = run({ files, cwd: ROOT, concurrency: 1 })
  const results = new Map<string, AttackResult>()
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic') {
      const result = results.get(placeOf(data))
      if (result !== undefined) result.figures = data.message
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    // A failed suite repeats the failures of its tests, unless its own set-up failed.
    const failure = type === 'test:fail' ? data.details.error : undefined
    if (data.details.type === 'suite' && (failure === undefined || isOfSubtests(failure))) continue
    if (data.skip !== undefined) continue
    const result: AttackResult = {
      file: basename(data.file ?? data.name, '.test.ts'),
      name: data.name,
      isHeld: failure === undefined,
      figures: '',
      failure: failure && String((failure.cause as Error | undefined)?.message ?? failure.message),
    }
    results.set(placeOf(data), result)
    onResult(result)
  }
  return [...results.values()]
}

/** Identifies a test by the place of its definition, which its diagnostics have too. */
function placeOf({ file, line, column }: { file?: string; line?: number; column?: number }): string {
  return `${file}:${line}:${column}`
}

function isOfSubtests(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}

/** Writes the results as a table by file: each attack, its outcome, and its figures or the reason of its failure. */
export function attackTable(results: readonly AttackResult[]): string {
  const lines: string[] = []
  for (const [file, attacks] of Map.groupBy(results, (result) => result.file)) {
    lines.push('', file)
    for (const { name, isHeld, figures, failure } of attacks) {
      lines.push(`  ${isHeld ? 'held        ' : 'did not hold'}  ${name}`)
      for (const line of details(figures, failure)) lines.push(`                ${line}`)
    }
  }
  const failed = results.filter(({ isHeld }) => !isHeld).length
  return `${lines.join('\n')}\n\n${results.length} attacks: ${results.length - failed} held, ${failed} did not hold\n`
}

function details(figures: string, failure: string | undefined): string[] {
  const own = figures === '' ? [] : figures.split('; ')
  return failure === undefined ? own : [...own, ...failure.trim().split('\n')]
}
