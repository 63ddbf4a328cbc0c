import type { Kysely } from 'kysely'
import type { ValuesByKind } from '../../audit/find-name.ts'
import { createEndpointsStore } from './endpoints-store.ts'
import type { WebhookTables } from './webhook-tables.ts'

/** Returns what finds the values of webhooks, for the audit log. */
export function webhookValues(db: Kysely<WebhookTables>): ValuesByKind {
  const endpoints = createEndpointsStore(db)
  return {
    async webhook(id) {
      const endpoint = await endpoints.findAny(id)
      if (endpoint === undefined) return undefined
      const { url, types, is_enabled: enabled } = endpoint
      return { url, types: types === null ? null : JSON.parse(types), enabled: enabled === 1 }
    },
  }
}
