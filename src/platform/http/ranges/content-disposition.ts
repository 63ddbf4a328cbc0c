import anyAscii from 'any-ascii'

/** Longer than any name that a file system keeps; what is beyond is cut off, for a header has no room for a book. */
const MAX_STEM_LENGTH = 500
/** The fallback is for clients that read no other; file names of 255 bytes are the least common bound. */
const MAX_FALLBACK_LENGTH = 100

/** What would be a folder, or end the quoted name early. */
const SEPARATORS = /[/\\"]/g
/** C0 and C1 controls, line and paragraph separators: a line break must never reach a header. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
/** Embeddings, overrides and isolates, with which a name is shown in another order than it is (Unicode TR 36, 3.2). */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * A Content-Disposition header with a file name: `stem.extension`, exactly as given in `filename*` (RFC 8187, UTF-8) but
 * for what a file name or a header cannot have, and spelled in ASCII for clients that know `filename` alone (RFC 6266,
 * 4.3 and appendix D).
 * @param stem any text, such as a title
 * @param extension letters and digits, without a dot
 */
export function contentDisposition(type: 'inline' | 'attachment', stem: string, extension: string): string {
  const name = fileStem(stem)
  return `${type}; filename="${fallback(name)}.${extension}"; filename*=UTF-8''${encode(`${name}.${extension}`)}`
}

function fileStem(text: string): string {
  const safe = text
    .toWellFormed()
    .replace(CONTROLS, ' ')
    .replace(DIRECTION_CONTROLS, '')
    .replace(SEPARATORS, '_')
    .trim()
  return firstCharacters(safe, MAX_STEM_LENGTH) || 'document'
}

/** Cut between code points, so that none is halved. */
function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : [...text].slice(0, count).join('')
}

/** Letters, digits and marks that mean nothing in a quoted string; `%` is left out, since some clients decode it. */
function fallback(name: string): string {
  const ascii = anyAscii(name).replace(/[^\w !#$&'()+,.=@[\]^`{}~-]/g, '_')
  return ascii.slice(0, MAX_FALLBACK_LENGTH).trim() || 'document'
}

/** `value-chars` of RFC 8187, 3.2.1: `encodeURIComponent` leaves four characters that are not of them. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
