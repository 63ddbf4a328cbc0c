import { csvFile, csvLines } from '#platform/basics/csv.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { ShortSlices } from '#platform/jobs/main-thread-time.ts'
import { readPageTexts } from '#platform/pages/page-texts.ts'
import type { ResultEntry, Results } from './result-schemas.ts'
import type en from './results-csv.en.json'

type Key = keyof typeof en

const TEXTS = readPageTexts<Key>(new URL('results-csv.en.json', import.meta.url))

type Value = string | number | null
/**
 * Durations in seconds, which programs get as such or as a clock shows them, moments in milliseconds, and words of a
 * fixed list.
 */
type Kind = 'as_is' | 'clock' | 'duration' | 'moment' | 'word'
/** A column: its name, the value for a runner, and its kind. */
type Column = { name: string; value: (entry: ResultEntry) => Value; kind: Kind; checkpoint?: string }

/** A way to write the table. */
type Style = {
  delimiter: string
  hasColumn(name: string): boolean
  head(column: Column): string
  cell(value: Value, kind: Kind): Value
}

/** Runners that are written at once, in half a millisecond. */
const RUNNERS_PER_PART = 25

const column = (name: string, value: Column['value'], kind: Kind = 'as_is'): Column => ({ name, value, kind })

const COLUMNS: readonly Column[] = [
  column('rank', ({ rank }) => rank),
  column('category_rank', ({ category_rank }) => category_rank),
  column('bib', ({ bib }) => bib),
  column('name', ({ name }) => name),
  column('category', ({ category }) => category),
  column('status', ({ status, state }) => status ?? state, 'word'),
  column('finish_time', ({ finish_sec }) => finish_sec, 'clock'),
  column('finish_sec', ({ finish_sec }) => finish_sec, 'duration'),
  column('net_sec', ({ net_sec }) => net_sec, 'duration'),
  column('gun_sec', ({ gun_sec }) => gun_sec, 'duration'),
  column('gap_sec', ({ gap_sec }) => gap_sec, 'duration'),
  column('last_checkpoint', ({ last_checkpoint }) => last_checkpoint?.name ?? null),
  column('status_time', ({ status_at }) => (status_at === null ? null : Date.parse(status_at)), 'moment'),
  column('status_place', ({ status_place }) => status_place),
  column('elevation_gain_m', ({ elevation_gain_m }) => elevation_gain_m ?? null),
  column('elevation_gain_low_m', ({ elevation_gain_interval_m }) => elevation_gain_interval_m?.[0] ?? null),
  column('elevation_gain_high_m', ({ elevation_gain_interval_m }) => elevation_gain_interval_m?.[1] ?? null),
  column('elevation_loss_m', ({ elevation_loss_m }) => elevation_loss_m ?? null),
  column('elevation_loss_low_m', ({ elevation_loss_interval_m }) => elevation_loss_interval_m?.[0] ?? null),
  column('elevation_loss_high_m', ({ elevation_loss_interval_m }) => elevation_loss_interval_m?.[1] ?? null),
]

type Passing = ResultEntry['passings'][number]

/** Columns of a checkpoint: when it was passed, the time since the start, how exactly and from what it is known. */
const PASSING_COLUMNS: [name: string, value: (passing: Passing) => Value, kind: Kind][] = [
  ['time', ({ time_ms }) => time_ms, 'moment'],
  ['elapsed_sec', ({ elapsed_sec }) => elapsed_sec, 'duration'],
  ['interval_sec', ({ interval_sec }) => interval_sec, 'as_is'],
  ['source', ({ source }) => source, 'word'],
]

function passingColumns({ id, name: checkpoint }: Results['checkpoints'][number]): Column[] {
  return PASSING_COLUMNS.map(([name, valueIn, kind]) => ({
    name,
    checkpoint,
    kind,
    value({ passings }) {
      const passing = passings.find(({ checkpoint_id }) => checkpoint_id === id)
      return passing === undefined ? null : valueIn(passing)
    },
  }))
}

/** Names of fields, and times in UTC. */
const FOR_PROGRAMS: Style = {
  delimiter: ',',
  hasColumn: () => true,
  head: ({ checkpoint, name }) => (checkpoint === undefined ? name : `${checkpoint} ${name}`),
  cell(value, kind) {
    if (typeof value !== 'number') return value
    if (kind === 'moment') return formatDateTime(value)
    return kind === 'clock' ? clockTime(value) : value
  },
}

/**
 * Words and numbers as a spreadsheet in this language expects them, such as semicolons and decimal commas in French;
 * durations as `1:23:45.6`, and times of day in the time zone of the event.
 */
function forPeople({ language, timeZone }: Reader): Style {
  const t = TEXTS.of(TEXTS.languageFor(undefined, language))
  const point = t('decimal')
  const clock = localClock(timeZone)
  return {
    delimiter: t('delimiter'),
    // People need the time at the finish once.
    hasColumn: (name) => name !== 'finish_sec',
    head({ checkpoint, name }) {
      const words = t(name as Key)
      return checkpoint === undefined ? words : `${checkpoint} – ${words}`
    },
    cell(value, kind) {
      if (kind === 'word') return value === null ? null : t(value as Key)
      if (typeof value !== 'number') return value
      if (kind === 'moment') return clock(value)
      const isTime = kind === 'clock' || kind === 'duration'
      return (isTime ? clockTime(value) : String(value)).replace('.', point)
    },
  }
}

/** Somebody who opens the table in a spreadsheet. */
type Reader = { language: string; timeZone: string }

/**
 * Writes results as a CSV file, in slices, because a race of thousands takes a tenth of a second. Without a reader, the
 * table is for programs.
 */
export async function* resultsCsv({ checkpoints, entries }: Results, reader?: Reader): AsyncGenerator<string> {
  const style = reader === undefined ? FOR_PROGRAMS : forPeople(reader)
  const columns = [...COLUMNS, ...checkpoints.flatMap(passingColumns)].filter(({ name }) => style.hasColumn(name))
  yield csvFile([columns.map(style.head)], style.delimiter)
  const slices = new ShortSlices()
  for (let i = 0; i < entries.length; i += RUNNERS_PER_PART) {
    const rows = entries.slice(i, i + RUNNERS_PER_PART).map((entry) => {
      return columns.map(({ value, kind }) => style.cell(value(entry), kind))
    })
    yield csvLines(rows, style.delimiter)
    await slices.next()
  }
}

/** Formats seconds as `1:23:45.6`. */
function clockTime(seconds: number): string {
  const tenths = Math.round(seconds * 10)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${Math.floor(tenths / 36_000)}:${two((tenths / 600) % 60)}:${two((tenths / 10) % 60)}.${tenths % 10}`
}

/** Returns a function that writes moments as `2026-05-03 09:15:30`, which every spreadsheet takes for a time. */
function localClock(timeZone: string): (timeMs: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (timeMs) => format.format(timeMs)
}
