import type { SealedColumn } from '#platform/sealing/sealed-column.ts'
import { webhookSealedColumns } from '#platform/webhooks/storage/sealed-secrets.ts'

/** The purpose of the keys that seal API keys. */
export const API_KEYS_PURPOSE = 'API keys'

/** Every column of this service whose texts are sealed. */
export const publicationsSealedColumns: readonly SealedColumn[] = [
  { table: 'api_keys', id: 'key_sha256', column: 'sealed', purpose: API_KEYS_PURPOSE },
  ...webhookSealedColumns,
]
