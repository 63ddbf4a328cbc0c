/** Codes for a missing file, a parent that is not a folder, and a symbolic link that is not followed. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** Makes a handler for `catch` that returns this for a missing file and rethrows any other error. */
export function ifMissing<Fallback>(fallback: Fallback): (error: unknown) => Fallback {
  return (error) => {
    if (MISSING.has((error as NodeJS.ErrnoException).code ?? '')) return fallback
    throw error
  }
}
