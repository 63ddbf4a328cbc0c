import type { Kysely } from 'kysely'
import { createFailures } from '#platform/credentials/failures-store.ts'
import { bytesType, type Migration, makeAppendOnly } from '#platform/database/migrate.ts'
import { createInspectionTables } from '#platform/doctor/inspection-store.ts'
import { createMaintenanceTable } from '#platform/jobs/maintenance-clock.ts'

/** Creates the tables of operators, maps and the audit log. `src/operator/model/tables.ts` explains the columns. */
async function up(db: Kysely<unknown>): Promise<void> {
  await createOperators(db)
  await createSignIn(db)
  await createSessions(db)
  await createSecondFactors(db)
  await createPasskeys(db)
  await createIdentities(db)
  await createMaps(db)
  await createAuditLog(db)
  await createMaintenanceTable(db)
  await createInspectionTables(db)
}

async function createOperators(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('operators')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text')
    .addColumn('role', 'text', (column) => column.notNull().defaultTo('owner'))
    .addColumn('is_limited', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_sign_in_at', 'bigint')
    .addColumn('suspended_at', 'bigint')
    .execute()
  await db.schema
    .createTable('operator_grants')
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('operator_grants_key', ['operator_id', 'kind', 'subject_id'])
    .execute()
}

async function createSignIn(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_links')
    .addColumn('token_sha256', 'text', (column) => column.primaryKey())
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sign_in_links_by_operator').on('sign_in_links').column('operator_id').execute()
  await createFailures(db)
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('token_sha256', 'text', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('confirmed_at', 'bigint')
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('provider_session_id', 'text')
    .execute()
  await db.schema.createIndex('sessions_by_operator').on('sessions').column('operator_id').execute()
}

async function createSecondFactors(db: Kysely<unknown>): Promise<void> {
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

async function createPasskeys(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('sign_count', 'bigint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('passkeys_by_operator').on('passkeys').column('operator_id').execute()
  await db.schema
    .createTable('used_challenges')
    .addColumn('challenge_sha256', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
}

/** Creates the accounts of operators at the identity provider. */
async function createIdentities(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('identities')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('operator_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('identities_pk', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('identities_by_operator').on('identities').column('operator_id').execute()
}

async function createMaps(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('map_files')
    .addColumn('sha256', 'text', (column) => column.primaryKey())
    .addColumn('blob_key', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('facts', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('map_choice')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('choice', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .execute()
}

async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_state')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('keep_ms', 'bigint', (column) => column.notNull())
    .execute()
  await (db as Kysely<{ audit_state: { id: number; keep_ms: number } }>)
    .insertInto('audit_state')
    .values({ id: 1, keep_ms: 0 })
    .execute()
  await db.schema
    .createTable('audit_log')
    .addColumn('position', 'bigint', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('source', 'text')
    .addColumn('action', 'text')
    .addColumn('actor_id', 'text')
    .addColumn('actor_name', 'text')
    .addColumn('subject_kind', 'text')
    .addColumn('subject_id', 'text')
    .addColumn('subject_name', 'text')
    .addColumn('within_kind', 'text')
    .addColumn('within_id', 'text')
    .addColumn('within_name', 'text')
    .addColumn('address', 'text')
    .addColumn('session_id', 'text')
    .addColumn('browser', 'text')
    .addColumn('request_id', 'text')
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .addColumn('outcome_of', 'bigint', (column) => column.unique())
    .addColumn('outcome', 'text')
    .addColumn('status', 'integer')
    .addColumn('previous', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute()
  for (const [name, columns] of Object.entries(AUDIT_LOG_INDICES)) {
    await db.schema.createIndex(`audit_log_by_${name}`).on('audit_log').columns(columns).execute()
  }
  await makeAppendOnly(db, { table: 'audit_log', position: 'position', time: 'at', retention: 'audit_state' })
}

const AUDIT_LOG_INDICES = {
  time: ['at'],
  actor: ['actor_id', 'position'],
  action: ['action', 'position'],
  subject: ['subject_id', 'position'],
  surroundings: ['within_id', 'position'],
}

/** The steps of the schema, by name; a step never changes once released. */
export const operatorMigrations: Record<string, Migration> = {
  '0001-create-tables': { up: up },
}
