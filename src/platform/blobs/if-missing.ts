/** A file that is not there, a part of its path that is no folder, or a symbolic link where none is followed. */
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

/** For `catch`: gives this instead of a file that is not there, and throws any other error on. */
export function ifMissing<Fallback>(fallback: Fallback): (error: unknown) => Fallback {
  return (error) => {
    if (MISSING.has((error as NodeJS.ErrnoException).code ?? '')) return fallback
    throw error
  }
}
