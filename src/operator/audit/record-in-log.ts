import { hostname, userInfo } from 'node:os'
import type { NamesByKind } from '#platform/audit/find-name.ts'
import type { DatabaseSettings } from '#platform/database/open/open-database.ts'
import { createLogger } from '#platform/logger.ts'
import { createAuditStore } from '../storage/audit-store.ts'
import { openOperatorDatabase } from '../storage/open-database.ts'
import { createAuditLog } from './audit-log.ts'
import { recordCommand, type TypedCommand } from './record-command.ts'

export type { TypedCommand }

type Surroundings = {
  names: NamesByKind
  /** The user who became another with sudo, as it says itself. */
  sudoUser: string | undefined
}

/**
 * Runs an admin command, which is recorded in the operators' database, whichever services the settings name.
 * @throws what the command throws; auditUnavailable, or what opening the database
 * throws, and then the command does not run
 */
export async function recordInLog<Result>(
  settings: DatabaseSettings,
  { sudoUser, ...typed }: TypedCommand & Surroundings,
  run: () => Promise<Result>,
): Promise<Result> {
  const database = await openOperatorDatabase(settings)
  const logger = createLogger('error')
  const audit = createAuditLog({ store: createAuditStore(database.db), logger, now: () => Date.now() })
  try {
    return await recordCommand(audit, { ...typed, user: systemUser(sudoUser), host: hostname() }, run)
  } finally {
    await audit.close()
    await database.close()
  }
}

function systemUser(sudoUser: string | undefined): string {
  const name = userName()
  return sudoUser === undefined || sudoUser === name ? name : `${sudoUser} (as ${name})`
}

/** A container may run under a number without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}
