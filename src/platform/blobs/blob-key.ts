/**
 * A segment begins with a letter or digit, so that `.`, `..`, hidden files and the drafts' folder can be none of a
 * key's segments, and has no character that a file system or an address treats in a way of its own.
 */
const SEGMENT = '[A-Za-z0-9][A-Za-z0-9._-]*'
const KEY = new RegExp(`^${SEGMENT}(?:/${SEGMENT})*$`)

/** File systems take 255 bytes for a segment, S3 takes 1,024 for a key of which a prefix may be a part. */
const MAX_SEGMENT_LENGTH = 200
const MAX_KEY_LENGTH = 512

/** Whether a text can be a key: segments of `[A-Za-z0-9._-]`, not beginning with a mark, with `/` between them. */
export function isBlobKey(text: string): boolean {
  return (
    text.length <= MAX_KEY_LENGTH &&
    KEY.test(text) &&
    text.split('/').every((segment) => segment.length <= MAX_SEGMENT_LENGTH)
  )
}

/** Keys are made by the program, never from a user's text: a wrong one is a mistake of ours. @throws Error */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new Error(`${JSON.stringify(key)} cannot be the key of a blob`)
}

/** A folder is empty, for all blobs, or the segments before a key's last with a `/` at the end. @throws Error */
export function assertBlobFolder(folder: string): void {
  if (folder !== '' && !(folder.endsWith('/') && isBlobKey(folder.slice(0, -1))))
    throw new Error(`${JSON.stringify(folder)} cannot be a folder of blobs`)
}
