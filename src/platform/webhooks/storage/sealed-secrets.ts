import type { SealedColumn } from '../../sealing/sealed-column.ts'

/** The purpose of the keys that seal signing secrets. */
export const WEBHOOK_SECRETS = 'webhook secrets'

/** The sealed columns of webhooks. */
export const webhookSealedColumns: readonly SealedColumn[] = [
  { table: 'webhook_endpoints', id: 'id', column: 'secret', purpose: WEBHOOK_SECRETS },
  { table: 'webhook_endpoints', id: 'id', column: 'former_secret', purpose: WEBHOOK_SECRETS },
]
