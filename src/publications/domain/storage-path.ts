/** File systems take no longer segment; 1,024 bytes is what the key of an object in S3 may have. */
const MAX_SEGMENT_BYTES = 255
const MAX_PATH_BYTES = 1024

/** A path as it is stored, or what it would have to be, in words that follow "path". */
export type ParsedStoragePath = { path: string } | { problem: string }

/**
 * Reads the path under which a workspace keeps a file: relative, `/` between segments, ending in `.pdf` in any case.
 * It is a name and never that of a file on a disk; what a disk, a shell or an address would read in a way of its own is
 * refused nevertheless, for the sake of whoever exports by it. Percent-encoded text is text like any other.
 * @returns the path in Unicode NFC, the form in which what looks the same is the same; all rules hold for that form.
 */
export function parseStoragePath(text: string): ParsedStoragePath {
  if (!text.isWellFormed()) return { problem: 'must be valid Unicode' }
  const path = text.normalize('NFC')
  const broken = RULES.find(({ isBroken }) => isBroken(path))
  return broken === undefined ? { path } : { problem: broken.problem }
}

const RULES: readonly { isBroken: (path: string) => boolean; problem: string }[] = [
  {
    // First, so that nothing long is looked at any closer.
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
