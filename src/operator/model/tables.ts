import type { Kysely } from 'kysely'
import type { KeptData, NamedBlob } from '#platform/backup/kept-data.ts'
import type { FailuresTables } from '#platform/credentials/failures-store.ts'
import type { OperatorRole } from '#platform/credentials/operator-access.ts'
import type { SealedColumn } from '#platform/credentials/sealed-columns.ts'
import type { Database } from '#platform/database/database.ts'
import { type DatabaseSettings, openDatabase } from '#platform/database/open-database.ts'
import type { InspectionTables } from '#platform/doctor/inspection-store.ts'
import type { MaintenanceTables } from '#platform/jobs/maintenance-clock.ts'
import type { MapTables } from '../../maps/store.ts'
import { operatorMigrations } from './migrations.ts'

/** A person who can sign in. Times are milliseconds since 1970 in all tables. */
export type OperatorRow = {
  id: string
  name: string
  /** Form of the name for comparison: no two names differ only in case. */
  name_key: string
  /** In the PHC string format; null until a sign-in link sets a password. */
  password_hash: string | null
  created_at: number
  last_sign_in_at: number | null
  role: OperatorRole
  /** 1 if the operator reaches only the events and workspaces of its grants. */
  is_limited: number
  /** Time since which the provider gives no role, so that nobody signs in; null otherwise. */
  suspended_at: number | null
}

/** An event or a workspace that a limited operator can reach. Whom the provider makes an owner keeps them for later. */
export type OperatorGrantRow = {
  operator_id: string
  kind: 'event' | 'workspace'
  subject_id: string
}

/** A sign-in link that has not been used, found by the SHA-256 of its token. */
export type SignInLinkRow = {
  token_sha256: string
  operator_id: string
  created_at: number
  expires_at: number
}

/** A signed-in browser, found by the SHA-256 of its cookie. */
export type SessionRow = {
  token_sha256: string
  /** Id in the list of sessions. */
  id: string
  operator_id: string
  created_at: number
  last_seen_at: number
  /** `User-Agent` of the browser and its address at sign-in, so that operators recognise the session. */
  user_agent: string
  address: string
  /** Time at which the operator last confirmed its identity. Null counts as the time of sign-in. */
  confirmed_at: number | null
  /** Id of the session at the provider (`sid`), by which the provider ends it; null if it has none. */
  provider_session_id: string | null
}

/** The authenticator app of an operator. It counts once a code of it has confirmed it. */
export type TotpSecretRow = {
  operator_id: string
  /** Shared with the app, encrypted. */
  secret: Uint8Array
  created_at: number
  confirmed_at: number | null
  /** Time step of the last code that was used: neither it nor an earlier one is right again. */
  used_step: number
}

/** A recovery code that has not been used, by its hash. */
type RecoveryCodeRow = {
  operator_id: string
  code_sha256: string
  created_at: number
}

/** A passkey of an operator (WebAuthn). It has no secret: that stays in the device. */
export type PasskeyRow = {
  /** Id in the list of passkeys. */
  id: string
  /** Id that the device knows the passkey by, in base64url. */
  credential_id: string
  operator_id: string
  name: string
  /** In COSE, as base64url. */
  public_key: string
  /** Uses that the device has counted; 0 for a device that does not count. */
  sign_count: number
  /** Ways to the device, as a JSON list, which browsers take as a hint. */
  transports: string
  created_at: number
  last_used_at: number | null
}

/** A challenge that has been answered, by its hash, until it would have expired. */
type UsedChallengeRow = {
  challenge_sha256: string
  expires_at: number
}

/**
 * A person at an identity provider, who is an operator here. The issuer and the
 * subject never change (OpenID Connect Core, 2).
 */
type IdentityRow = {
  issuer: string
  subject: string
  operator_id: string
  created_at: number
}

/**
 * A record of the audit log: something that somebody did or tried, or, with `outcome_of`, how it ended. The database
 * refuses to change records. Each has the hash of the one before it.
 */
export type AuditRow = {
  /** 1, 2, 3 …, without gaps. */
  position: number
  at: number
  /** `dashboard`, `admin`, `api` or `server`. */
  source: string | null
  /** The operationId of the request, the words of the command, or another word for the action. */
  action: string | null
  actor_id: string | null
  /** Names as they were at that time. */
  actor_name: string | null
  subject_kind: string | null
  subject_id: string | null
  subject_name: string | null
  /** The thing that the subject belongs to, such as the event of a token. */
  within_kind: string | null
  within_id: string | null
  within_name: string | null
  address: string | null
  session_id: string | null
  /** `User-Agent` of the browser. */
  browser: string | null
  request_id: string | null
  /** Number of times; more than 1 for refusals, which are counted together. */
  count: number
  /** Further facts as a JSON object. */
  details: string
  /** Position of the record whose outcome this is. */
  outcome_of: number | null
  outcome: string | null
  status: number | null
  /** Hash of the record before this one; empty for the first. */
  previous: string
  hash: string
}

/** State of the audit log. There is one row, with the id 1; who appends locks it. */
type AuditStateRow = {
  id: number
  /** Time for which records are kept; 0 for ever. */
  keep_ms: number
}

export type OperatorTables = FailuresTables &
  InspectionTables & {
    operators: OperatorRow
    operator_grants: OperatorGrantRow
    sign_in_links: SignInLinkRow
    sessions: SessionRow
    totp_secrets: TotpSecretRow
    recovery_codes: RecoveryCodeRow
    passkeys: PasskeyRow
    used_challenges: UsedChallengeRow
    identities: IdentityRow
    audit_log: AuditRow
    audit_state: AuditStateRow
  } & MapTables &
  MaintenanceTables

/** Opens and migrates the operators' database, for the server and the admin commands. */
export function openOperatorDatabase(settings: DatabaseSettings): Promise<Database<OperatorTables>> {
  return openDatabase<OperatorTables>(settings, 'operator', operatorMigrations)
}

/** The purpose of the keys that seal the secrets of authenticator apps. */
export const TOTP_SECRETS = 'second factors'

/** Every column of this service whose texts are sealed. Its tokens are stored as hashes alone. */
export const operatorSealedColumns: readonly SealedColumn[] = [
  { table: 'totp_secrets', id: 'operator_id', column: 'secret', purpose: TOTP_SECRETS },
]

/**
 * The data of the service, for backups. A restored installation has no sessions and no sign-in links: some may have
 * been ended since the backup, and would be valid again.
 */
export const keptOperator: KeptData = {
  name: 'operator',
  migrations: operatorMigrations,
  endedByRestore: ['sessions', 'sign_in_links'],
  blobs: { map_files: (db, after) => mapFiles(db as Kysely<OperatorTables>, after) },
  folders: ['maps'],
}

/** There are a few, which are read at once. */
async function* mapFiles(db: Kysely<OperatorTables>, after = ''): AsyncGenerator<NamedBlob> {
  const rows = await db
    .selectFrom('map_files')
    .select(['blob_key', 'size_bytes', 'sha256'])
    .where('sha256', '>', after)
    .orderBy('sha256')
    .execute()
  for (const { blob_key, size_bytes, sha256 } of rows)
    yield { key: blob_key, size: size_bytes, sha256, at: sha256, subjectId: sha256 }
}
