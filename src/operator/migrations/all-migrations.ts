import type { Migration } from '#platform/database/migrate.ts'
import { up as createTables } from './0001-create-tables.ts'
import { up as signInFailures } from './0002-sign-in-failures.ts'
import { up as maps } from './0003-maps.ts'
import { up as roles } from './0004-roles.ts'
import { up as secondFactors } from './0005-second-factors.ts'
import { up as passkeys } from './0006-passkeys.ts'
import { up as auditLog } from './0007-audit-log.ts'
import { up as identities } from './0008-identities.ts'
import { up as upkeep } from './0009-upkeep.ts'
import { up as providerAccounts } from './0010-provider-accounts.ts'
import { up as inspection } from './0011-inspection.ts'

/** The steps of the schema, by name; a step never changes once released. */
export const operatorMigrations: Record<string, Migration> = {
  '0001-create-tables': { up: createTables },
  '0002-sign-in-failures': { up: signInFailures },
  '0003-maps': { up: maps },
  '0004-roles': { up: roles },
  '0005-second-factors': { up: secondFactors },
  '0006-passkeys': { up: passkeys },
  '0007-audit-log': { up: auditLog },
  '0008-identities': { up: identities },
  '0009-upkeep': { up: upkeep },
  '0010-provider-accounts': { up: providerAccounts },
  '0011-inspection': { up: inspection },
}
