import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileSize } from '../basics/text.ts'
import type { Migration } from '../database/migrate.ts'
import { type AppliedMigration, type Finding, findingsOf, migrationFinding } from './finding.ts'

const { ok, warning, error } = findingsOf('database')

/** Size up to which the whole database is checked: about a second. `storage verify` checks points of any size. */
const CHECKED_BYTES = 200_000_000
/** The log is cut to 64 MiB after a burst. A larger one means that a reader has kept it from being written back. */
const LARGE_LOG_BYTES = 1_000_000_000
/** Clocks are compared with the latest write, whose time the file system rounds. */
const CLOCK_TOLERANCE_MS = 60_000

/** Checks the file of a service without changing it. `migrations` are those of this program. */
export function checkSqlite(
  file: string,
  name: string,
  migrations: Record<string, Migration>,
  nowMs: number,
): Finding[] {
  if (!existsSync(file)) return [ok(name, 'There is no database yet; the first start creates it.')]
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch {
    return [
      error(name, `${file} cannot be read and written.`, 'Run the doctor and the server as the owner of the file.'),
    ]
  }
  try {
    return readDatabase(file, name, migrations, nowMs)
  } catch (cause) {
    const remedy = 'Stop the server, keep a copy of the file and of its -wal, and restore the latest backup.'
    return [error(name, `${file} cannot be opened: ${(cause as Error).message}.`, remedy)]
  }
}

function readDatabase(file: string, name: string, migrations: Record<string, Migration>, nowMs: number): Finding[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    const { size, mtimeMs } = statSync(file)
    const logBytes = existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0
    const isChecked = size <= CHECKED_BYTES
    const damage = isChecked ? damageOf(database) : undefined
    return [
      damage === undefined
        ? ok(
            name,
            `${fileSize(size, 'en')}${isChecked ? ', intact' : '; too large to be checked here, see storage verify'}.`,
          )
        : error(
            name,
            `${file} is damaged: ${damage}`,
            'Restore the latest backup, or see the recover command of sqlite3.',
          ),
      migrationFinding(name, appliedTo(database), migrations),
      ...(logBytes > LARGE_LOG_BYTES
        ? [
            warning(
              name,
              `The log takes ${fileSize(logBytes, 'en')}.`,
              'End programs that read the file for long, such as a backup that hangs.',
            ),
          ]
        : []),
      ...(mtimeMs > nowMs + CLOCK_TOLERANCE_MS
        ? [
            warning(
              'clock',
              'The latest write is in the future: the clock was set back.',
              'Synchronise the clock (chrony, systemd-timesyncd).',
            ),
          ]
        : []),
    ]
  } finally {
    database.close()
  }
}

function damageOf(database: DatabaseSync): string | undefined {
  const [{ quick_check: result }] = database.prepare('pragma quick_check(1)').all() as { quick_check: string }[]
  return result === 'ok' ? undefined : result
}

function appliedTo(database: DatabaseSync): AppliedMigration[] {
  const table = database.prepare("select 1 from sqlite_master where type = 'table' and name = 'migrations'").get()
  if (table === undefined) return []
  return database.prepare('select * from migrations').all() as AppliedMigration[]
}
