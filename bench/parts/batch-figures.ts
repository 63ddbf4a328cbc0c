import { type Contender, POINTS_PER_BATCH, type Round } from '../load/contender.ts'
import type { ThreadKind } from '../program/processor-time.ts'
import { type Figure, median, quantile } from '../report/figure.ts'

type Contenders = Record<'bare' | 'many' | 'one' | 'floor' | 'rows', Contender>

/** Targets of a batch: shares of what the bare server's thread takes for the same request. */
const MAIN = { atMost: 3.5, aim: 3 }
const MAIN_AND_WRITER = { atMost: 5, aim: 4 }
/** Targets on PostgreSQL. */
const NODE = { atMost: 20 }
const BACKENDS = { atMost: 45 }
const WAL_PER_POINT = { atMost: 60 }
const SINGLE_TRACK = { atLeast: 0.7 }

/** Returns what a batch costs, and the rates. */
export function batchFigures(contenders: Contenders): Figure[] {
  const { bare, many, one } = contenders
  const isPostgres = many.rounds[0].postgres !== undefined
  return [
    ...(isPostgres ? postgresFigures(many) : threadFigures(bare, many)),
    ...rateFigures(many),
    { ...rate(one), beside: latencies(one) },
    {
      what: 'rate of a single busy track, as a share of that of 512 tracks',
      value: ratio(one, many, rateOf),
      unit: 'x',
      goal: SINGLE_TRACK,
    },
  ]
}

/** Returns the same for servers that do less, or do it in the usual way. */
export function rivalFigures({ bare, many, floor, rows }: Contenders): Figure[] {
  return [
    { ...rate(bare), beside: `${latencies(bare)}; it reads the body and answers 204` },
    { what: 'bare node:http server: main thread', value: each(bare, perBatch('main')), unit: 'µs' },
    { ...rate(floor), beside: `${latencies(floor)}; one write and fdatasync for all that wait` },
    { what: `${floor.name}: all threads`, value: each(floor, allThreads), unit: 'µs' },
    { ...rate(rows), beside: latencies(rows) },
    { what: `${rows.name}: all threads and processes`, value: each(rows, everything), unit: 'µs' },
    { what: 'rate against one row per point', value: ratio(many, rows, rateOf), unit: 'x' },
  ]
}

function threadFigures(bare: Contender, many: Contender): Figure[] {
  const main = perBatch('main')
  const both = (round: Round) => main(round) + perBatch('SQLite writer')(round)
  return [
    { what: 'main thread, of the bare server’s', value: against(many, bare, main), unit: 'x', goal: MAIN },
    {
      what: 'main thread and SQLite writer, of the bare server’s thread',
      value: against(many, bare, both),
      unit: 'x',
      goal: MAIN_AND_WRITER,
    },
    { what: 'processor time of a batch: main thread', value: each(many, main), unit: 'µs' },
    { what: 'processor time of a batch: SQLite writer', value: each(many, perBatch('SQLite writer')), unit: 'µs' },
    { what: 'processor time of a batch: all threads', value: each(many, allThreads), unit: 'µs', beside: kinds(many) },
  ]
}

function postgresFigures(many: Contender): Figure[] {
  const postgres = (pick: (spent: NonNullable<Round['postgres']>) => number) => (round: Round) =>
    pick(round.postgres!) / round.load.requests
  return [
    {
      what: 'processor time of a batch: Node.js, main thread',
      value: each(many, perBatch('main')),
      unit: 'µs',
      goal: NODE,
      beside: kinds(many),
    },
    {
      what: 'processor time of a batch: PostgreSQL’s backends',
      value: each(
        many,
        postgres(({ backendsUs }) => backendsUs),
      ),
      unit: 'µs',
      goal: BACKENDS,
    },
    {
      what: 'processor time of a batch: PostgreSQL’s WAL writer',
      value: each(
        many,
        postgres(({ walWriterUs }) => walWriterUs),
      ),
      unit: 'µs',
    },
    {
      what: 'WAL of a point',
      value: each(
        many,
        postgres(({ walBytes }) => walBytes / POINTS_PER_BATCH),
      ),
      unit: 'B',
      goal: WAL_PER_POINT,
    },
  ]
}

function rateFigures(many: Contender): Figure[] {
  return [{ ...rate(many), beside: latencies(many) }]
}

function rate(contender: Contender): Figure {
  return { what: `batches per second: ${contender.name}`, value: each(contender, rateOf), unit: '/s' }
}

function latencies({ rounds }: Contender): string {
  const at = (share: number) => median(rounds.map(({ load }) => quantile(load.latenciesMs, share))).toFixed(1)
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

function rateOf({ load }: Round): number {
  return load.requestsPerSec
}

function perBatch(kind: ThreadKind): (round: Round) => number {
  return ({ load, spent }) => spent.us(kind) / load.requests
}

function allThreads({ load, spent }: Round): number {
  return spent.totalUs / load.requests
}

function everything({ load, spent, postgres }: Round): number {
  const { backendsUs, walWriterUs, othersUs } = postgres ?? { backendsUs: 0, walWriterUs: 0, othersUs: 0 }
  return (spent.totalUs + backendsUs + walWriterUs + othersUs) / load.requests
}

/** Lists the time of each kind of thread, the largest first. */
function kinds(contender: Contender): string {
  const names = new Set(contender.rounds.flatMap(({ spent }) => [...spent.byKind.keys()]))
  return [...names]
    .map((kind) => ({ kind, us: each(contender, ({ load, spent }) => (spent.byKind.get(kind) ?? 0) / load.requests) }))
    .filter(({ us }) => us >= 0.05)
    .sort((a, b) => b.us - a.us)
    .map(({ kind, us }) => `${kind} ${us.toFixed(1)}`)
    .join(', ')
}

function each({ rounds }: Contender, of: (round: Round) => number): number {
  return median(rounds.map(of))
}

/** Returns the ratio of two contenders, each pair within one round. */
function ratio(one: Contender, other: Contender, of: (round: Round) => number): number {
  return median(one.rounds.map((round, i) => of(round) / of(other.rounds[i])))
}

/** Returns a cost in units of what the bare server's thread takes. */
function against(contender: Contender, bare: Contender, of: (round: Round) => number): number {
  return median(contender.rounds.map((round, i) => of(round) / perBatch('main')(bare.rounds[i])))
}
