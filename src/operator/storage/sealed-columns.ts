import type { SealedColumn } from '#platform/sealing/sealed-column.ts'

/** The purpose of the keys that seal the secrets of authenticator apps. */
export const TOTP_SECRETS = 'second factors'

/** Every column of this service whose texts are sealed. Its tokens are stored as hashes alone. */
export const operatorSealedColumns: readonly SealedColumn[] = [
  { table: 'totp_secrets', id: 'operator_id', column: 'secret', purpose: TOTP_SECRETS },
]
