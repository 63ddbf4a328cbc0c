import type { Kysely } from 'kysely'
import { bytesType } from '#platform/database/column-types.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('totp_secrets')
    .addColumn('operator_id', 'text', (column) => column.primaryKey())
    .addColumn('secret', bytesType(db), (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('used_step', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('recovery_codes')
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('code_sha256', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_pk', ['operator_id', 'code_sha256'])
    .execute()
}
