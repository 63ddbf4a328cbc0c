import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Writes bytes to a temporary file, which is removed after the test. @returns its path */
export function temporaryFile(t: { after: (end: () => void) => void }, bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'trackpress-'))
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  t.after(() => rmSync(folder, { recursive: true }))
  return path
}
