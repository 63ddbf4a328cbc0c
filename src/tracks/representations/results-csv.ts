import { stringify } from 'csv-stringify/sync'
import { formatDateTime } from '#platform/time/date-time.ts'
import type { Ranking, RankingEntry } from '../schemas/race.ts'

/** A column: its name, and the value for a runner. */
type Column = [name: string, value: (entry: RankingEntry) => string | number | null]

const COLUMNS: readonly Column[] = [
  ['rank', ({ rank }) => rank],
  ['category_rank', ({ category_rank }) => category_rank],
  ['bib', ({ bib }) => bib],
  ['name', ({ name }) => name],
  ['category', ({ category }) => category],
  ['status', ({ status, state }) => status ?? state],
  ['finish_time', ({ finish_sec }) => (finish_sec === null ? null : clockTime(finish_sec))],
  ['finish_sec', ({ finish_sec }) => finish_sec],
  ['net_sec', ({ net_sec }) => net_sec],
  ['gun_sec', ({ gun_sec }) => gun_sec],
  ['gap_sec', ({ gap_sec }) => gap_sec],
  ['last_checkpoint', ({ last_checkpoint }) => last_checkpoint?.name ?? null],
]

/**
 * Writes results as CSV (RFC 4180) in UTF-8 with a byte order mark, without which spreadsheets read names wrongly. Text
 * that a spreadsheet would take for a formula gets an apostrophe before it (OWASP, "CSV Injection").
 */
export function resultsCsv({ checkpoints, entries }: Pick<Ranking, 'checkpoints' | 'entries'>): string {
  const columns = [...COLUMNS, ...checkpoints.flatMap(({ id, name }) => passingColumns(id, name))]
  const rows = entries.map((entry) => columns.map(([, value]) => value(entry)))
  return stringify([columns.map(([name]) => name), ...rows], {
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
  })
}

/** Columns of a checkpoint: when it was passed, the time since the start, and how exactly they are known. */
function passingColumns(id: string, name: string): Column[] {
  const passing = ({ passings }: RankingEntry) => passings.find(({ checkpoint_id }) => checkpoint_id === id)
  const column = (suffix: string, value: (one: RankingEntry['passings'][number]) => string | number | null): Column => [
    `${name} ${suffix}`,
    (entry) => {
      const found = passing(entry)
      return found === undefined ? null : value(found)
    },
  ]
  return [
    column('time', ({ time_ms }) => formatDateTime(time_ms)),
    column('elapsed_sec', ({ elapsed_sec }) => elapsed_sec),
    column('interval_sec', ({ interval_sec }) => interval_sec),
  ]
}

/** Formats seconds as `1:23:45.6`. */
function clockTime(seconds: number): string {
  const tenths = Math.round(seconds * 10)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${Math.floor(tenths / 36_000)}:${two((tenths / 600) % 60)}:${two((tenths / 10) % 60)}.${tenths % 10}`
}
