/** Limits of file systems for a segment, and of S3 for the key of an object. */
const MAX_SEGMENT_BYTES = 255
const MAX_PATH_BYTES = 1024

/**
 * Longest text that is normalised. Normalising sorts accents, which takes quadratic time: 25 s for 1 MiB of them. The
 * text of a path is at most three times as long before; the rest is for the id of a workspace.
 */
const MAX_SPELLING_BYTES = 4 * MAX_PATH_BYTES

/** Returns the path as it is stored: in Unicode NFC, so that paths which look the same are the same. */
export function parseStoragePath(text: string): string {
  return text.normalize('NFC')
}

/** Tells whether a text spells a stored path, in any normalisation. */
export function spellsPath(text: string, path: string): boolean {
  return Buffer.byteLength(text) <= MAX_SPELLING_BYTES && parseStoragePath(text) === path
}

/**
 * Describes what the path of a workspace's file must be; undefined for a valid one. A path is relative, with `/`
 * between segments, and ends in `.pdf` in any case. It never names a file on a disk, but text with a special meaning
 * for a disk, a shell or an address is refused, so that files can be exported under their paths. Percent-encoding has
 * no meaning. All rules apply to the stored form.
 */
export function storagePathProblem(text: string): string | undefined {
  if (!text.isWellFormed()) return 'must be valid Unicode'
  if (Buffer.byteLength(text) > MAX_SPELLING_BYTES) return TOO_LONG
  const path = parseStoragePath(text)
  return RULES.find(({ isBroken }) => isBroken(path))?.problem
}

const TOO_LONG = `must have at most ${MAX_PATH_BYTES} bytes`

const RULES: readonly { isBroken: (path: string) => boolean; problem: string }[] = [
  {
    // First, so that the other rules see no long text.
    isBroken: (path) => Buffer.byteLength(path) > MAX_PATH_BYTES,
    problem: TOO_LONG,
  },
  { isBroken: (path) => /\p{Cc}/u.test(path), problem: 'must not contain control characters' },
  { isBroken: (path) => path.includes('\\'), problem: 'must not contain a backslash' },
  { isBroken: (path) => path.startsWith('/'), problem: 'must be relative: without / at its beginning' },
  { isBroken: (path) => /^[a-z]:/i.test(path), problem: 'must be relative: without a drive letter' },
  { isBroken: (path) => path.split('/').includes(''), problem: 'must not contain an empty segment' },
  {
    isBroken: (path) => path.split('/').some((segment) => segment === '.' || segment === '..'),
    problem: 'must not contain . or .. as a segment',
  },
  {
    isBroken: (path) => path.split('/').some((segment) => Buffer.byteLength(segment) > MAX_SEGMENT_BYTES),
    problem: `must have segments of at most ${MAX_SEGMENT_BYTES} bytes`,
  },
  { isBroken: (path) => !/\.pdf$/i.test(path), problem: 'must end in .pdf' },
]
