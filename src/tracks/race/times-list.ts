import type { FieldError } from '#platform/basics/errors.ts'
import { parseDateTime } from '#platform/basics/time.ts'
import { type ListRow, readCsvRows } from '../api/csv-rows.ts'

/** Most times of one file: every runner at every checkpoint of a large race. */
const MAX_TIMES = 50_000

type Field = 'bib' | 'checkpoint' | 'time'

/** Spellings of the columns, in lower case without spaces, dashes and underscores. */
const COLUMNS: Record<string, Field> = {
  bib: 'bib',
  bibnumber: 'bib',
  number: 'bib',
  dossard: 'bib',
  checkpoint: 'checkpoint',
  point: 'checkpoint',
  pointdecontrôle: 'checkpoint',
  pointdecontrole: 'checkpoint',
  pointdepassage: 'checkpoint',
  pointage: 'checkpoint',
  passage: 'checkpoint',
  time: 'time',
  temps: 'time',
  heure: 'time',
}
const FIELDS: readonly Field[] = ['bib', 'checkpoint', 'time']

/** The race that the times of a file are matched with. */
type TimedRace = {
  runners: readonly { user_id: string; bib: string }[]
  checkpoints: readonly { id: string; name: string }[]
  /** Common start; null without one. */
  gunMs: number | null
}

/** A time of a file. */
type ListedTime = { bib: string; user_id: string; checkpoint_id: string; timeMs: number }

/** Times, or their problems: each has the line of the file as its path. */
type TimesList = { times: ListedTime[]; errors: FieldError[] }

/**
 * Reads times as CSV (RFC 4180), whose header names the columns `bib`, `checkpoint` and `time`. A checkpoint
 * is its name or id. A time is a moment with its zone (RFC 3339), or the time since the common start as `1:23:45.6`.
 */
export function readTimesCsv(bytes: Uint8Array, race: TimedRace): TimesList {
  const rows = readCsvRows(bytes, {
    names: COLUMNS,
    missing: (columns) => FIELDS.filter((field) => !columns.includes(field)),
    empty: 'must have a header line and a line for each time',
    maxRows: MAX_TIMES,
  })
  return Array.isArray(rows) ? checkTimes(rows, race) : { times: [], errors: [rows] }
}

function checkTimes(rows: readonly ListRow<Field>[], race: TimedRace): TimesList {
  if (rows.length > MAX_TIMES) return failed('', `must have at most ${MAX_TIMES} times`)
  const users = new Map(race.runners.map(({ bib, user_id }) => [bib, user_id]))
  const checkpoints = new Map(
    race.checkpoints.flatMap(({ id, name }) => [[folded(name), id] as const, [id, id] as const]),
  )
  const errors: FieldError[] = []
  const times = rows.flatMap(({ place, raw }: ListRow<Field>): ListedTime[] => {
    const user_id = users.get(raw.bib ?? '')
    const checkpoint_id = checkpoints.get(folded(raw.checkpoint ?? ''))
    const timeMs = readTime(raw.time ?? '', race.gunMs)
    if (user_id === undefined) errors.push({ path: `${place}, bib`, message: 'must be a bib of the start list' })
    if (checkpoint_id === undefined)
      errors.push({ path: `${place}, checkpoint`, message: 'must be the name of a checkpoint of the course' })
    if (typeof timeMs === 'string') errors.push({ path: `${place}, time`, message: timeMs })
    if (user_id === undefined || checkpoint_id === undefined || typeof timeMs === 'string') return []
    return [{ bib: raw.bib ?? '', user_id, checkpoint_id, timeMs }]
  })
  return { times: errors.length > 0 ? [] : times, errors }
}

const folded = (name: string) => name.trim().toLowerCase()

const RACE_TIME = /^(\d{1,3}):([0-5]\d):([0-5]\d(?:[.,]\d{1,3})?)$/

/** Returns the time in milliseconds since 1970, or what is wrong with it. */
function readTime(text: string, gunMs: number | null): number | string {
  const race = RACE_TIME.exec(text)
  if (race === null) {
    return parseDateTime(text)?.timeMs ?? 'must be a time with its zone, such as 2026-05-03T09:12:31+02:00, or 1:23:45'
  }
  if (gunMs === null) return 'must be a time with its zone: the race has no common start to count 1:23:45 from'
  const [, hours, minutes, seconds] = race
  return gunMs + Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))) * 1000)
}

function failed(path: string, message: string): TimesList {
  return { times: [], errors: [{ path, message }] }
}
