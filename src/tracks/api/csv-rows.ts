import { CsvError, type Info, parse } from 'csv-parse/sync'
import type { FieldError } from '#platform/basics/errors.ts'
import { decodeSpreadsheetText } from '#platform/basics/spreadsheet-text.ts'

/**
 * A row of a list: its place in the file or body, and its texts by column; undefined for an absent column.
 */
export type ListRow<Field extends string> = { place: string; raw: Partial<Record<Field, string | null>> }

/** Returns the path of a problem with a field of a row. */
export function pathInRow(place: string, field: string): string {
  return place.startsWith('line') ? `${place}, ${field}` : `${place}/${field}`
}

/**
 * Returns the text of a field without spaces around it, and reports its errors.
 * @param maxLength longest text, in code points
 */
export function checkedText(
  value: string | null | undefined,
  maxLength: number,
  report: (message: string) => void,
): string {
  const text = (value ?? '').trim()
  if ([...text].length > maxLength) report(`must have at most ${maxLength} characters`)
  // Neither a database nor a printed sheet has a use for control characters.
  if (/\p{Cc}/u.test(text)) report('must not contain control characters')
  return text
}

/** Notes a value, and returns the row that used it first; undefined for its first use and for an empty one. */
export function firstUse(places: Map<string, string>, value: string, place: string): string | undefined {
  const first = places.get(value)
  if (first === undefined && value !== '') places.set(value, place)
  return first
}

/** A kind of list, and the form of its header. */
type CsvListKind<Field extends string> = {
  /** The fields of columns, by their names in lower case with letters and digits alone. */
  names: Readonly<Record<string, Field>>
  /** Returns the columns that a header lacks. */
  missing(columns: readonly (Field | undefined)[]): readonly Field[]
  /** Is told the columns of which nothing is read, as the header names them. */
  ignored?(names: string[]): void
  /** The columns of a list without a header. By default, a list must have one. */
  plain?: readonly Field[]
  /** The problem of a file without a line. */
  empty: string
  /** Rows above this are read no further than the first of them, which tells that there are too many. */
  maxRows: number
}

/**
 * Reads the rows of a CSV file (RFC 4180) in UTF-8, UTF-16 or Windows-1252, whose first line shows the delimiter:
 * comma, semicolon or tab. Empty lines and unknown columns are skipped.
 * @returns the rows, or the first problem with its line
 */
export function readCsvRows<Field extends string>(
  bytes: Uint8Array,
  kind: CsvListKind<Field>,
): ListRow<Field>[] | FieldError {
  const text = textOf(bytes)
  if (typeof text !== 'string') return text
  try {
    return rowsOf(parseRecords(text, kind.maxRows + 2), kind)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { path: `line ${String(error.lines ?? '?')}`, message: 'must be valid CSV; check its quotes' }
  }
}

function rowsOf<Field extends string>(
  records: readonly CsvRecord[],
  { names, missing, ignored, plain, empty }: CsvListKind<Field>,
): ListRow<Field>[] | FieldError {
  const [header, ...rest] = records
  if (header === undefined) return { path: '', message: empty }
  const columns = header.record.map((name) => names[name.toLowerCase().replace(/[^\p{L}\p{Nd}]/gu, '')])
  if (plain !== undefined && columns.every((column) => column === undefined)) return readRows(records, plain)
  const lacking = missing(columns)
  if (lacking.length > 0) return { path: 'line 1', message: `must name the columns; ${lacking.join(' and ')} missing` }
  const twice = columns.find((column, i) => column !== undefined && columns.indexOf(column) !== i)
  if (twice !== undefined) return { path: 'line 1', message: `must name each column once; ${twice} is there twice` }
  ignored?.(header.record.filter((name, i) => columns[i] === undefined && name !== ''))
  return readRows(rest, columns)
}

/** A line of a CSV file with its cells. */
type CsvRecord = { record: string[]; info: Info }

/** Stands for a letter that could not be read (https://www.unicode.org/charts/PDF/UFFF0.pdf). */
const LOST_LETTER = '\ufffd'

/** Returns the text of a file; a problem if a program has lost letters of it. */
function textOf(bytes: Uint8Array): string | FieldError {
  const text = decodeSpreadsheetText(bytes)
  const at = text.indexOf(LOST_LETTER)
  if (at === -1) return text
  const line = text.slice(0, at).split(/\r\n|\n|\r/).length
  const message = `must not contain ${LOST_LETTER}, in place of which another program has lost a letter. Save the file again as “CSV UTF-8”`
  return { path: `line ${line}`, message }
}

/** The delimiters that spreadsheets write, the most usual first. */
const DELIMITERS = [',', ';', '\t']

/** Reads at most `maxRecords` lines. @throws CsvError */
function parseRecords(text: string, maxRecords: number): CsvRecord[] {
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

/** Returns the rows of lines that are not empty, each with the texts of the known columns. */
function readRows<Field extends string>(
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
