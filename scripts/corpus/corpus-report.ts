import { formatBytes } from '../publish/progress.ts'
import type { Outcome, OutcomeKind } from './publish-one.ts'

/** Results of a run. */
export type CorpusRun = {
  outcomes: readonly Outcome[]
  /** Folders that could not be read. */
  unreadableFolders: readonly { name: string; reason: string }[]
  tookMs: number
  /** Response times of `GET /healthz` while documents were published. */
  answers: Quantiles & { unanswered: number }
  /** Undefined if the server is on another machine. */
  peakMemoryBytes: number | undefined
  /** The cause of an unexpected end of the server; undefined if it kept running. */
  serverEnd: string | undefined
}

/** A response that takes this long feels like a hanging server. */
const SLOW_MS = 1000
/** Memory that a small machine can spare. */
const MAX_MEMORY_BYTES = 2_000_000_000
const SLOWEST = 10

/** Lists the problems of a run. Bad documents are not problems. */
export function failuresOf({ outcomes, answers, peakMemoryBytes, serverEnd }: CorpusRun): string[] {
  const count = (isOne: (outcome: Outcome) => boolean) => outcomes.filter(isOne).length
  const stuck = count(({ kind }) => kind === 'stuck')
  const broken = count(({ kind }) => kind === 'broken')
  const wrong = count((outcome) => outcome.kind === 'ready' && outcome.wrong !== undefined)
  return [
    ...(serverEnd === undefined ? [] : [serverEnd]),
    ...(stuck === 0 ? [] : [`${stuck} got stuck`]),
    ...(broken === 0 ? [] : [`${broken} met a failure of the server`]),
    ...(wrong === 0 ? [] : [`${wrong} are ready and not right`]),
    ...(answers.p99Ms < SLOW_MS ? [] : [`99 % of answers took up to ${formatMs(answers.p99Ms)}`]),
    ...(answers.unanswered === 0 ? [] : [`${answers.unanswered} times the server did not answer that it is well`]),
    ...((peakMemoryBytes ?? 0) < MAX_MEMORY_BYTES
      ? []
      : [`the server took ${formatBytes(peakMemoryBytes!)} of memory`]),
  ]
}

/** Formats the table and the lists at the end of a run. */
export function corpusReport(run: CorpusRun): string {
  const failures = failuresOf(run)
  return [
    section('Files with something to tell', problemLines(run)),
    section(`The slowest ${Math.min(SLOWEST, run.outcomes.length)}`, slowestLines(run.outcomes)),
    section('Result', summaryLines(run)),
    failures.length === 0 ? 'All went well.' : failures.map((failure) => `WRONG: ${failure}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function summaryLines({ outcomes, tookMs, answers, peakMemoryBytes }: CorpusRun): string[] {
  const pages = outcomes.reduce((sum, outcome) => sum + ('pages' in outcome ? outcome.pages : 0), 0)
  const withFailedPages = outcomes.filter((outcome) => outcome.kind === 'ready' && outcome.failedPages.length > 0)
  const rows: [string, string][] = [
    ['files', String(outcomes.length)],
    ['ready', String(ofKind(outcomes, 'ready').length)],
    ['  of them with failed pages', String(withFailedPages.length)],
    ['failed', String(ofKind(outcomes, 'failed').length)],
    ...reasonRows(ofKind(outcomes, 'failed')),
    ['refused', String(ofKind(outcomes, 'refused').length)],
    ...reasonRows(ofKind(outcomes, 'refused')),
    ...(['unreadable', 'stuck', 'broken'] as const).map((kind): [string, string] => [
      kind,
      String(ofKind(outcomes, kind).length),
    ]),
    ['pages', String(pages)],
    ['time', formatMs(tookMs)],
    ['peak memory of the server', peakMemoryBytes === undefined ? 'not looked at' : formatBytes(peakMemoryBytes)],
    [
      `answers of /healthz (${answers.count})`,
      `p50 ${formatMs(answers.p50Ms)}, p99 ${formatMs(answers.p99Ms)}, longest ${formatMs(answers.maxMs)}`,
    ],
  ]
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `${label.padEnd(width)}  ${value}`)
}

function ofKind<Kind extends OutcomeKind>(outcomes: readonly Outcome[], kind: Kind) {
  return outcomes.filter((outcome): outcome is Extract<Outcome, { kind: Kind }> => outcome.kind === kind)
}

/** Lists the reasons of a kind, most frequent first. */
function reasonRows(outcomes: readonly { reason: string }[]): [string, string][] {
  const counts = Object.entries(Object.groupBy(outcomes, ({ reason }) => reason))
  return counts
    .map(([reason, group = []]): [string, number] => [`  ${reason}`, group.length])
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => [reason, String(count)])
}

function problemLines({ outcomes, unreadableFolders }: CorpusRun): string[] {
  return [
    ...unreadableFolders.map(({ name, reason }) => `${name}/: the folder cannot be read (${reason})`),
    ...outcomes
      .map((outcome) => ({ name: outcome.name, problem: problemOf(outcome) }))
      .flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`])),
  ]
}

/** Formats a line about a file. Returns undefined for a fully ready one. */
function problemOf(outcome: Outcome): string | undefined {
  if (outcome.kind !== 'ready') return `${outcome.kind}, ${outcome.reason}`
  const [first, ...others] = outcome.failedPages
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  const failed = first === undefined ? [] : [`page ${first.page} of ${outcome.pages} failed: ${first.reason}${more}`]
  const wrong = outcome.wrong === undefined ? [] : [`ready, but ${outcome.wrong}`]
  return [...wrong, ...failed].join('; ') || undefined
}

function slowestLines(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .toSorted((a, b) => b.tookMs - a.tookMs)
    .slice(0, SLOWEST)
    .map((outcome) => {
      const pages = 'pages' in outcome ? `, ${outcome.pages} ${outcome.pages === 1 ? 'page' : 'pages'}` : ''
      return `${formatMs(outcome.tookMs).padStart(8)}  ${outcome.name} (${outcome.kind}${pages})`
    })
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${line}`).join('\n')}`
}

/** Formats a duration: `12 ms`, `1.5 s`, `3:05 min`. */
function formatMs(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`
}

/** Distribution of response times in milliseconds; `count` is their number. */
export type Quantiles = { count: number; p50Ms: number; p99Ms: number; maxMs: number }

/** Computes quantiles by nearest rank, so that each is a measured time. All are zero without measurements. */
export function quantilesOf(timesMs: readonly number[]): Quantiles {
  const sorted = Float64Array.from(timesMs).sort()
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}
