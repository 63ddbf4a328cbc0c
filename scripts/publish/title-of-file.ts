import { basename } from 'node:path'

/** Maximum length of a publication's title. */
const MAX_TITLE_LENGTH = 500

/** Derives a title from a file: its name without `.pdf`. */
export function titleOfFile(path: string): string {
  const name = basename(path)
    .toWellFormed()
    .replace(/\.pdf$/i, '')
    .trim()
  return [...name].slice(0, MAX_TITLE_LENGTH).join('').trim() || 'Document'
}
