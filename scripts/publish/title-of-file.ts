import { basename } from 'node:path'

/** The longest title that a publication has. */
const MAX_TITLE_LENGTH = 500

/** The title that a file gives without one: its name without `.pdf`. */
export function titleOfFile(path: string): string {
  const name = basename(path)
    .toWellFormed()
    .replace(/\.pdf$/i, '')
    .trim()
  return [...name].slice(0, MAX_TITLE_LENGTH).join('').trim() || 'Document'
}
