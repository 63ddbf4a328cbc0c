import { asciiSpelling } from '../basics/ascii-spelling.ts'

/** Longer than any name that a file system stores. The rest is cut off to limit the size of the header. */
const MAX_STEM_LENGTH = 500
/** For clients that read only the fallback. File systems limit names to 255 bytes or more. */
const MAX_FALLBACK_LENGTH = 100

/** Characters that would name a folder or end the quoted name early. */
const SEPARATORS = /[/\\"]/g
/** C0 and C1 controls, line and paragraph separators: a line break must never reach a header. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to match
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
/** Embeddings, overrides and isolates, which display a name in another order than it has (Unicode TR 36, 3.2). */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * Returns a Content-Disposition header with the file name `stem.extension`. `filename*` (RFC 8187, UTF-8) keeps it
 * exactly, except for characters that a file name or a header cannot have. `filename` spells it in ASCII for clients
 * that know only that parameter (RFC 6266, 4.3 and appendix D).
 * @param stem any text, such as a title
 * @param extension letters and digits, without a dot
 */
export function contentDisposition(type: 'inline' | 'attachment', stem: string, extension: string): string {
  const name = fileStem(stem)
  return `${type}; filename="${fallback(name)}.${extension}"; filename*=UTF-8''${encode(`${name}.${extension}`)}`
}

/** Returns text without the characters that a file name cannot have; `document` if nothing is left. */
export function fileStem(text: string): string {
  const safe = text
    .toWellFormed()
    .replace(CONTROLS, ' ')
    .replace(DIRECTION_CONTROLS, '')
    .replace(SEPARATORS, '_')
    .trim()
  return firstCharacters(safe, MAX_STEM_LENGTH) || 'document'
}

/** Cuts between code points, so that none is split. */
function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : [...text].slice(0, count).join('')
}

/** Keeps letters, digits and marks without meaning in a quoted string. `%` is replaced: some clients decode it. */
function fallback(name: string): string {
  const ascii = asciiSpelling(name).replace(/[^\w !#$&'()+,.=@[\]^`{}~-]/g, '_')
  return ascii.slice(0, MAX_FALLBACK_LENGTH).trim() || 'document'
}

/** Encodes as `value-chars` of RFC 8187, 3.2.1. `encodeURIComponent` leaves four characters that are not among them. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
