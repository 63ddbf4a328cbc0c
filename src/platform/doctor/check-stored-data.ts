import type { Kysely } from 'kysely'
import { eachDatabase, type Installation, isTableMissing, type KeptDatabases } from '../backup/kept-data.ts'
import { type Finding, findingsOf } from './finding.ts'
import { createInspectionStore, createRounds, type InspectionTables } from './inspection-store.ts'

const { ok, warning, error } = findingsOf('stored data')

/** A nightly backup takes less than a day. */
const OVERDUE_MS = 2 * 86_400_000
/** Number of damaged things that are named. */
const MAX_NAMED = 5

/** Tells whether a backup is overdue: the last one is two days old, or the data are, of which there is none. */
export function isBackupOverdue(lastMs: number | null, sinceMs: number, nowMs: number): boolean {
  return nowMs - (lastMs ?? sinceMs) > OVERDUE_MS
}

/** Reports the age of the last backup, and the missing or damaged data that the server has found. */
export async function checkStoredData(installation: KeptDatabases, now: () => number): Promise<Finding[]> {
  const findings: Finding[] = []
  await eachDatabase(installation, async ({ name }, { db }) => {
    const store = createInspectionStore(db as Kysely<InspectionTables>)
    try {
      findings.push(backupFinding(name, await store.backedUpMs(), now()))
      findings.push(damageFinding(name, await store.counts(), await store.list(MAX_NAMED)))
    } catch (cause) {
      if (!isTableMissing(cause)) throw cause
    }
  })
  return findings
}

function backupFinding(name: string, lastMs: number | null, nowMs: number): Finding {
  const remedy = 'Run backup create every night; docs/operating.md says how. Ignore this if you back up by other means.'
  const check = `${name} backup`
  if (lastMs === null) return warning(check, 'There is no backup by backup create.', remedy)
  const found = `The last backup is of ${new Date(lastMs).toISOString()}.`
  return isBackupOverdue(lastMs, lastMs, nowMs) ? warning(check, found, remedy) : ok(check, found)
}

function damageFinding(
  name: string,
  counts: readonly { count: number }[],
  damages: readonly { key: string; problem: string }[],
): Finding {
  const count = counts.reduce((sum, found) => sum + found.count, 0)
  if (count === 0) return ok(name, 'Nothing is known to be missing or damaged.')
  const named = damages.map(({ key, problem }) => `${key} (${problem})`).join(', ')
  return error(
    name,
    `${count} stored files or chunks are missing or damaged: ${named}${count > damages.length ? ' …' : ''}.`,
    'Look at the disk, then run storage verify, and storage repair with the folder of backups.',
  )
}

/** Notes in the databases of an installation that they are backed up, for metrics, doctor and dashboard. */
export async function noteBackup(installation: Installation): Promise<void> {
  await eachDatabase(installation, async (_, { db }) => {
    try {
      await createRounds(db as Kysely<InspectionTables>).noteBackup(installation.now())
    } catch (error) {
      // A server of an older version has no place for it.
      if (!isTableMissing(error)) throw error
    }
  })
}
