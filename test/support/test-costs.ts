import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { after, afterEach, beforeEach, type TestContext } from 'node:test'
import { processTreeMs } from './attack/process-usage.ts'

/** Processor time in milliseconds of a test file, a suite's test, or a program that runs several files. */
type Cost = { name: string; kind: 'test' | 'program'; ms: number }

/** What a run prints: enough to see what is worth a look. */
const SHOWN = { program: 20, file: 40, test: 40 }

/**
 * Appends to a file what each test of this process takes of the processor, with the processes that it started, such as
 * browsers and servers; PostgreSQL, which all tests share, is not one of them.
 */
export function noteCosts(path: string): void {
  const startsMs: number[] = []
  const write = (cost: Cost) => appendFileSync(path, `${JSON.stringify(cost)}\n`)
  beforeEach(() => {
    startsMs.push(processTreeMs('self') ?? 0)
  })
  afterEach((t) => {
    const { fullName } = t as TestContext
    write({ name: fullName, kind: 'test', ms: (processTreeMs('self') ?? 0) - startsMs.pop()! })
  })
  after(() => write({ name: basename(process.argv[1]), kind: 'program', ms: processTreeMs('self') ?? 0 }))
}

/** Returns tables of the dearest programs, files and tests that `noteCosts` has written, and the total of the files. */
export function describeCosts(path: string): string {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const costs = lines.map((line) => JSON.parse(line) as Cost)
  const kindOf = ({ kind, name }: Cost) => (kind === 'test' && !name.includes(' > ') ? 'file' : kind)
  return Object.entries(SHOWN)
    .map(([kind, most]) => {
      const ofKind = costs.filter((cost) => kindOf(cost) === kind).sort((a, b) => b.ms - a.ms)
      const total = ofKind.reduce((sum, { ms }) => sum + ms, 0)
      const rows = ofKind.slice(0, most).map(({ ms, name }) => `${seconds(ms)} ${name}\n`)
      return `\n${seconds(total)} s of processor in ${ofKind.length} of kind ${kind}, of which the dearest:\n${rows.join('')}`
    })
    .join('')
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1).padStart(7)
}
