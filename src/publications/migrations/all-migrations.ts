import type { Migration } from '#platform/database/migrate.ts'
import { up as createTables } from './0001-create-tables.ts'
import { up as operator } from './0002-operator.ts'
import { up as listIndices } from './0003-list-indices.ts'
import { up as idempotencySubjects } from './0004-idempotency-subjects.ts'
import { up as workspaceQuotas } from './0005-workspace-quotas.ts'
import { up as structure } from './0006-structure.ts'
import { up as keyPermissions } from './0007-key-permissions.ts'
import { up as webhooks } from './0008-webhooks.ts'
import { up as upkeep } from './0009-upkeep.ts'
import { up as webhookSearch } from './0010-webhook-search.ts'
import { up as inspection } from './0011-inspection.ts'
import { up as imageSums } from './0012-image-sums.ts'

/** The steps of the service's schema, by name; a step never changes once released. */
export const publicationsMigrations: Record<string, Migration> = {
  '0001-create-tables': { up: createTables },
  '0002-operator': { up: operator },
  '0003-list-indices': { up: listIndices },
  '0004-idempotency-subjects': { up: idempotencySubjects },
  '0005-workspace-quotas': { up: workspaceQuotas },
  '0006-structure': { up: structure },
  '0007-key-permissions': { up: keyPermissions },
  '0008-webhooks': { up: webhooks },
  '0009-upkeep': { up: upkeep },
  '0010-webhook-search': { up: webhookSearch },
  '0011-inspection': { up: inspection },
  '0012-image-sums': { up: imageSums },
}
