import type { SealedColumn } from '#platform/sealing/sealed-column.ts'
import { webhookSealedColumns } from '#platform/webhooks/storage/sealed-secrets.ts'

/** The purpose of the keys that seal app tokens and share tokens. */
export const TOKENS_PURPOSE = 'app tokens'

/** The purpose of the keys that seal those of erasures' receipts. */
export const RECEIPTS_PURPOSE = 'receipts of erasures'

/** Every column of this service whose texts are sealed. */
export const tracksSealedColumns: readonly SealedColumn[] = [
  { table: 'app_tokens', id: 'token_sha256', column: 'sealed', purpose: TOKENS_PURPOSE },
  { table: 'shares', id: 'id', column: 'sealed', purpose: TOKENS_PURPOSE },
  { table: 'erasures', id: 'id', column: 'sealed_key', purpose: RECEIPTS_PURPOSE },
  ...webhookSealedColumns,
]
