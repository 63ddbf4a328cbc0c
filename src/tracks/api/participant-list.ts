import { CsvError, type Info, parse } from 'csv-parse/sync'
import type { FieldError } from '#platform/basics/errors.ts'
import { decodeSpreadsheetText } from '#platform/basics/spreadsheet-text.ts'

/** Most participants of one request: the QR codes of more fill no printer's day. */
const MAX_PARTICIPANTS = 5000

/** Someone who gets a token of their own. */
type Participant = {
  /** The `user_id` that their tracks get. */
  user_id: string
  /** Shown in the list of tokens and below the QR code; null for none. */
  name: string | null
}

/** The longest texts, in code points, as tokens and tracks have them. */
const LIMITS = { user_id: 255, bib: 255, name: 200 }

type Field = keyof typeof LIMITS
type Row = ListRow<Field>

/** Spellings of the columns, in lower case with letters and digits alone. */
const COLUMNS: Record<string, Field> = {
  userid: 'user_id',
  user: 'user_id',
  id: 'user_id',
  bib: 'bib',
  bibnumber: 'bib',
  number: 'bib',
  dossard: 'bib',
  name: 'name',
  runner: 'name',
  nom: 'name',
}

/** The columns of a list without a header. */
const PLAIN_COLUMNS: readonly Field[] = ['user_id', 'name']

/** Participants, or their problems: each has the line of the file as its path. */
export type ParticipantList = { participants: Participant[]; errors: FieldError[] }

/**
 * Reads participants from CSV. With a header it names the columns `user_id` and `name`, in any order; without
 * `user_id`, the column `bib` is taken, so that a start list can be used as it is. A list without a header has the
 * `user_id` and then, if it likes, the name.
 */
export function readParticipantsCsv(bytes: Uint8Array): ParticipantList {
  const text = readCsvText(bytes)
  if (typeof text !== 'string') return { participants: [], errors: [text] }
  try {
    return checkParticipants(rowsOf(text))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const place = `line ${String(error.lines ?? '?')}`
    return { participants: [], errors: [{ path: place, message: 'must be valid CSV; check its quotes' }] }
  }
}

/** Reads participants from JSON; their problems have the paths in the body. */
export function readParticipantsJson(
  participants: readonly { user_id: string; name?: string | null }[],
): ParticipantList {
  return checkParticipants(participants.map((raw, i) => ({ place: `participants/${i}`, raw })))
}

function rowsOf(text: string): Row[] | FieldError {
  const records = parseRecords(text, MAX_PARTICIPANTS + 2)
  const [header, ...rest] = records
  if (header === undefined) return { path: '', message: 'must have a line for each participant' }
  const columns = columnsOf(header.record, COLUMNS)
  if (columns.every((column) => column === undefined)) return readRows(records, PLAIN_COLUMNS)
  if (!columns.includes('user_id') && !columns.includes('bib'))
    return { path: 'line 1', message: 'must name the columns; user_id missing' }
  const twice = usedTwice(columns)
  if (twice !== undefined) return { path: 'line 1', message: `must name each column once; ${twice} is there twice` }
  return readRows(rest, columns)
}

/** Checks each participant, and that no `user_id` is there twice. */
function checkParticipants(rows: Row[] | FieldError): ParticipantList {
  if (!Array.isArray(rows)) return { participants: [], errors: [rows] }
  if (rows.length === 0) return failed('must have a line for each participant')
  if (rows.length > MAX_PARTICIPANTS) return failed(`must have at most ${MAX_PARTICIPANTS} participants`)
  const errors: FieldError[] = []
  const places = new Map<string, string>()
  const participants = rows.map(({ place, raw }) => {
    const report = (field: Field, message: string) => errors.push({ path: pathOf(place, field), message })
    const text = (field: Field) => checkedText(raw[field], LIMITS[field], (message) => report(field, message))
    const userId = text('user_id') || text('bib')
    const first = places.get(userId)
    if (userId === '') report('user_id', 'must not be empty')
    else if (first !== undefined) report('user_id', `must be unique, and is also in ${first}`)
    else places.set(userId, place)
    return { user_id: userId, name: text('name') || null }
  })
  return { participants: errors.length > 0 ? [] : participants, errors }
}

function checkedText(value: string | null | undefined, maxLength: number, report: (message: string) => void): string {
  const text = (value ?? '').trim()
  if ([...text].length > maxLength) report(`must have at most ${maxLength} characters`)
  // Neither a database nor a printed sheet has a use for control characters.
  if (/\p{Cc}/u.test(text)) report('must not contain control characters')
  return text
}

function pathOf(place: string, field: Field): string {
  return place.startsWith('line') ? `${place}, ${field}` : `${place}/${field}`
}

function failed(message: string): ParticipantList {
  return { participants: [], errors: [{ path: '', message }] }
}

/**
 * A row of a list of people: its place in the file or body, and its texts by column; undefined for an absent column.
 */
export type ListRow<Field extends string> = { place: string; raw: Partial<Record<Field, string | null>> }

/** A line of a CSV file with its cells. */
type CsvRecord = { record: string[]; info: Info }

/** Stands for a letter that could not be read (https://www.unicode.org/charts/PDF/UFFF0.pdf). */
const LOST_LETTER = '\ufffd'

/** Returns the text of a CSV file in UTF-8, UTF-16 or Windows-1252; a problem if a program has lost letters of it. */
export function readCsvText(bytes: Uint8Array): string | FieldError {
  const text = decodeSpreadsheetText(bytes)
  const at = text.indexOf(LOST_LETTER)
  if (at === -1) return text
  const line = text.slice(0, at).split(/\r\n|\n|\r/).length
  const message = `must not contain ${LOST_LETTER}, in place of which another program has lost a letter. Save the file again as “CSV UTF-8”`
  return { path: `line ${line}`, message }
}

/** The delimiters that spreadsheets write, the most usual first. */
const DELIMITERS = [',', ';', '\t']

/**
 * Reads CSV (RFC 4180) whose first line shows the delimiter: comma, semicolon or tab. Empty lines are
 * skipped. Reads at most `maxRecords` lines.
 * @throws CsvError
 */
export function parseRecords(text: string, maxRecords: number): CsvRecord[] {
  return parse(text, {
    bom: true,
    delimiter: delimiterOf(text),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    to: maxRecords,
  }) as unknown as CsvRecord[]
}

/** Returns the fields of a header's columns, by their names in lower case, of which only letters and digits count. */
export function columnsOf<Field extends string>(
  header: readonly string[],
  names: Readonly<Record<string, Field>>,
): (Field | undefined)[] {
  return header.map((name) => names[name.toLowerCase().replace(/[^\p{L}\p{Nd}]/gu, '')])
}

/** Returns a field that two columns have; undefined if there is none. */
export function usedTwice<Field extends string>(columns: readonly (Field | undefined)[]): Field | undefined {
  return columns.find((column, i) => column !== undefined && columns.indexOf(column) !== i)
}

/** Returns the rows of lines that are not empty, each with the texts of the known columns. */
export function readRows<Field extends string>(
  records: readonly CsvRecord[],
  columns: readonly (Field | undefined)[],
): ListRow<Field>[] {
  return records
    .filter(({ record }) => record.some((value) => value !== ''))
    .map(({ record, info }) => ({
      place: `line ${info.lines}`,
      raw: Object.fromEntries(
        columns.flatMap((column, i) => (column === undefined ? [] : [[column, record[i] ?? '']])),
      ) as ListRow<Field>['raw'],
    }))
}

/** Returns the delimiter that is most frequent in the first line outside of quotes. */
function delimiterOf(text: string): string {
  const [header = ''] = text.split(/\r\n|\n|\r/, 1)
  const bare = header.replace(/"[^"]*"/g, '')
  const count = (delimiter: string) => bare.split(delimiter).length
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}
