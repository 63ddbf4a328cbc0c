import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Finding } from '#platform/doctor/finding.ts'
import type { Owner } from './databases.ts'

/** Returns the findings that are not ok, as `error check`. */
export function wrong(findings: readonly Finding[]): string[] {
  return findings.filter(({ level }) => level !== 'ok').map(({ level, check }) => `${level} ${check}`)
}

/** Fails unless every finding that is not ok says what to do, and no other does. */
export function requireRemedies(findings: readonly Finding[]): void {
  for (const { level, remedy, check } of findings) assert.equal(remedy === undefined, level === 'ok', check)
}

/** Makes an empty folder, which is removed with its owner. */
export function makeFolder(owner: Owner): string {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
  owner.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
