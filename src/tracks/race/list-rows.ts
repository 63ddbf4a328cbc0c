import { type Info, parse } from 'csv-parse/sync'

/**
 * A row of a list of people: its place in the file or body, and its texts by column; undefined for an absent column.
 */
export type ListRow<Field extends string> = { place: string; raw: Partial<Record<Field, string | null>> }

/** A line of a CSV file with its cells. */
type CsvRecord = { record: string[]; info: Info }

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

/** Returns the fields of a header's columns, by their names in lower case without spaces, dashes and underscores. */
export function columnsOf<Field extends string>(
  header: readonly string[],
  names: Readonly<Record<string, Field>>,
): (Field | undefined)[] {
  return header.map((name) => names[name.toLowerCase().replace(/[\s_-]/g, '')])
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
