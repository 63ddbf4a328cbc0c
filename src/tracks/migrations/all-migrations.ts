import type { Migration } from '#platform/database/migrate.ts'
import { up as createTables } from './0001-create-tables.ts'
import { up as operator } from './0002-operator.ts'
import { up as listIndices } from './0003-list-indices.ts'
import { up as idempotencySubjects } from './0004-idempotency-subjects.ts'
import { up as spectators } from './0005-spectators.ts'
import { up as race } from './0006-race.ts'
import { up as searchIndex } from './0007-search-index.ts'
import { up as tokenPermissions } from './0008-token-permissions.ts'
import { up as narrowTracks } from './0009-narrow-tracks.ts'
import { up as webhooks } from './0010-webhooks.ts'
import { up as phoneRecordings } from './0011-phone-recordings.ts'
import { up as erasures } from './0012-erasures.ts'
import { up as shortTrigramList } from './0013-short-trigram-list.ts'
import { up as upkeep } from './0014-upkeep.ts'
import { up as webhookSearch } from './0015-webhook-search.ts'
import { up as inspection } from './0016-inspection.ts'
import { up as stateTimes } from './0017-state-times.ts'

/** The steps of the service's schema, by name; a step never changes once released. */
export const tracksMigrations: Record<string, Migration> = {
  '0001-create-tables': { up: createTables },
  '0002-operator': { up: operator },
  '0003-list-indices': { up: listIndices },
  '0004-idempotency-subjects': { up: idempotencySubjects },
  '0005-spectators': { up: spectators },
  '0006-race': { up: race },
  '0007-search-index': { up: searchIndex },
  '0008-token-permissions': { up: tokenPermissions },
  '0009-narrow-tracks': { up: narrowTracks },
  '0010-webhooks': { up: webhooks },
  '0011-phone-recordings': { up: phoneRecordings },
  '0012-erasures': { up: erasures },
  '0013-short-trigram-list': { up: shortTrigramList },
  '0014-upkeep': { up: upkeep },
  '0015-webhook-search': { up: webhookSearch },
  '0016-inspection': { up: inspection },
  '0017-state-times': { up: stateTimes },
}
