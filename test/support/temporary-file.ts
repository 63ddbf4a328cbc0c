import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Writes bytes to a file of their own and tells its path; both are gone after the test. */
export function temporaryFile(t: { after: (end: () => void) => void }, bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'trackpress-'))
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  t.after(() => rmSync(folder, { recursive: true }))
  return path
}
