import { stringify } from 'csv-stringify/sync'

/**
 * Writes rows as lines of CSV (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe before it
 * (OWASP, "CSV Injection").
 */
export function csvLines(rows: readonly (readonly unknown[])[], delimiter = ','): string {
  return stringify(rows as unknown[][], { delimiter, escape_formulas: true, record_delimiter: 'windows' })
}

/** Writes a CSV file in UTF-8. It begins with a byte order mark, without which spreadsheets read names wrongly. */
export function csvFile(rows: readonly (readonly unknown[])[], delimiter = ','): string {
  return `\ufeff${csvLines(rows, delimiter)}`
}
