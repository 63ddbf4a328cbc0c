/**
 * Matches a segment of a key. It begins with a letter or digit, which excludes `.`, `..`, hidden files and the drafts'
 * folder, and has no character with a meaning in file systems or addresses.
 */
const SEGMENT = '[A-Za-z0-9][A-Za-z0-9._-]*'
const KEY = new RegExp(`^${SEGMENT}(?:/${SEGMENT})*$`)

/** File systems allow 255 bytes for a segment. S3 allows 1,024 for a key, prefix included. */
const MAX_SEGMENT_LENGTH = 200
const MAX_KEY_LENGTH = 512

/**
 * Tells whether a text is a valid key: segments of `[A-Za-z0-9._-]` that begin with a letter or digit, joined by `/`.
 */
export function isBlobKey(text: string): boolean {
  return (
    text.length <= MAX_KEY_LENGTH &&
    KEY.test(text) &&
    text.split('/').every((segment) => segment.length <= MAX_SEGMENT_LENGTH)
  )
}

/** Keys are never made from a user's text, so an invalid one is a bug. @throws Error */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new Error(`${JSON.stringify(key)} cannot be the key of a blob`)
}

/** A folder is empty, for all blobs, or leading segments of a key with a `/` at the end. @throws Error */
export function assertBlobFolder(folder: string): void {
  if (folder !== '' && !(folder.endsWith('/') && isBlobKey(folder.slice(0, -1))))
    throw new Error(`${JSON.stringify(folder)} cannot be a folder of blobs`)
}
