/** Limits of file systems for a segment, and of S3 for the key of an object. */
const MAX_SEGMENT_BYTES = 255
const MAX_PATH_BYTES = 1024

/** Returns the path as it is stored: in Unicode NFC, so that paths which look the same are the same. */
export function parseStoragePath(text: string): string {
  return text.normalize('NFC')
}

/**
 * Describes what the path of a workspace's file must be; undefined for a valid one. A path is relative, with `/` between
 * segments, and ends in `.pdf` in any case. It never names a file on a disk, but text with a special meaning for a disk, a
 * shell or an address is refused, so that files can be exported under their paths. Percent-encoding has no meaning.
 * All rules apply to the stored form.
 */
export function storagePathProblem(text: string): string | undefined {
  if (!text.isWellFormed()) return 'must be valid Unicode'
  const path = parseStoragePath(text)
  return RULES.find(({ isBroken }) => isBroken(path))?.problem
}

const RULES: readonly { isBroken: (path: string) => boolean; problem: string }[] = [
  {
    // First, so that the other rules see no long text.
    isBroken: (path) => Buffer.byteLength(path) > MAX_PATH_BYTES,
    problem: `must have at most ${MAX_PATH_BYTES} bytes`,
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
