import type { CompiledQuery, Kysely, Transaction } from 'kysely'
import { inTransaction } from '../database/transaction.ts'
import { isValidAt, whereValidAt } from './token.ts'

/** Columns that only one kind of credential has, such as the person of an app token. */
export type OwnColumns = Record<string, string | null>

/** A stored credential: the hash that finds it, and the sealed text for display. Its plain text is not stored. */
export type CredentialRow<Own extends OwnColumns = OwnColumns> = {
  sha256: string
  /** The event or workspace that it opens. */
  owner_id: string
  sealed: Uint8Array
  created_at: number
  /** Null for a credential without an end. */
  expires_at: number | null
  label: string | null
  /** Time of the latest use, to the minute; null for an unused credential. */
  last_used_at: number | null
  /** Names with commas between them. */
  permissions: string
  /** 1 for the credential that its owner began with, or that replaced it. */
  is_first: number
} & Own

/** The table of one kind of credential, in the database of its service. */
export type CredentialTable<Own extends OwnColumns> = {
  table: string
  /** Column of the hash. */
  sha256Column: string
  /** Column of the event or workspace. */
  ownerColumn: string
  /** The columns that only this kind has, with the values of a first credential. */
  own: Own
  /** The permissions that its credentials can have. */
  permissions: readonly string[]
}

/** Locks an event or workspace until the end of a transaction. Resolves to false if it is being deleted. */
type LockOwner<Tables> = (transaction: Transaction<Tables>, ownerId: string) => Promise<boolean>

/** The columns that decide a request with a credential. */
type Target = { owner_id: string; permissions: string; expires_at: number | null }

/** A valid credential: the event or workspace that it opens, and its permissions. */
export type FoundCredential<Own extends OwnColumns> = { ownerId: string; permissions: readonly string[]; own: Own }

/** The names of the columns differ from kind to kind, so the queries cannot be typed by one table. */
type LooseTables = Record<string, Record<string, unknown>>

const ID_LENGTH = 32

/** Rows of ten columns in one statement, below the 32,766 parameters that SQLite takes. */
const ROWS_PER_INSERT = 500

/** A store of credentials of one kind. */
export type CredentialsStore<Own extends OwnColumns> = ReturnType<typeof createCredentialsStore<never, Own>>

/** Creates the store of one kind of credential: app tokens, or API keys. */
export function createCredentialsStore<Tables, Own extends OwnColumns>(
  db: Kysely<Tables>,
  kind: CredentialTable<Own>,
  lockOwner: LockOwner<Tables>,
) {
  const { table, sha256Column, ownerColumn } = kind
  const loose = db as unknown as Kysely<LooseTables>
  const valid = (ownerId: string, nowMs: number) =>
    loose
      .selectFrom(table)
      .selectAll()
      .select([`${sha256Column} as sha256`, `${ownerColumn} as owner_id`])
      .where(ownerColumn, '=', ownerId)
      .where(whereValidAt(nowMs))
      .orderBy('created_at', 'desc')
      .orderBy(sha256Column)
      .$castTo<CredentialRow<Own>>()

  async function listValid(ownerId: string, nowMs: number): Promise<CredentialRow<Own>[]> {
    return await valid(ownerId, nowMs).execute()
  }

  return {
    /** Adds credentials, all or none. The owner's others stay valid. @returns false if there is no such owner */
    async add(ownerId: string, rows: readonly CredentialRow<Own>[]): Promise<boolean> {
      return await inTransaction(db, async (transaction) => {
        // Locked, so that a deletion of the owner under way leaves none of them behind.
        if (!(await lockOwner(transaction, ownerId))) return false
        await insertCredentials(transaction, kind, rows)
        return true
      })
    },

    /** Adds a first credential, and ends the owner's other first ones at `othersEndMs` unless they end sooner. */
    async rotate(row: CredentialRow<Own>, othersEndMs: number): Promise<void> {
      await inTransaction(loose, async (transaction) => {
        await transaction
          .updateTable(table)
          .set({ expires_at: othersEndMs })
          .where(ownerColumn, '=', row.owner_id)
          .where('is_first', '=', 1)
          .where(whereValidAt(othersEndMs))
          .execute()
        await insertCredentials(transaction, kind, [row])
      })
    },

    /** Returns the owner's valid credentials, newest first. */
    listValid,

    /** Returns the owner's valid first credentials, newest first. */
    async listFirst(ownerId: string, nowMs: number): Promise<CredentialRow<Own>[]> {
      return await valid(ownerId, nowMs).where('is_first', '=', 1).execute()
    },

    /** Returns the owner's valid credential with an id. */
    async findById(ownerId: string, id: string, nowMs: number): Promise<CredentialRow<Own> | undefined> {
      return (await listValid(ownerId, nowMs)).find((row) => credentialId(row) === id)
    },

    find: createFind(loose, kind),

    /** Ends one credential at once. @returns false if the owner does not have it */
    async end(ownerId: string, sha256: string): Promise<boolean> {
      const { numDeletedRows } = await loose
        .deleteFrom(table)
        .where(ownerColumn, '=', ownerId)
        .where(sha256Column, '=', sha256)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    /** Removes credentials that have ended. */
    async removeEnded(nowMs: number): Promise<void> {
      await loose.deleteFrom(table).where('expires_at', '<=', nowMs).execute()
    },

    /** Stores when credentials were last used. */
    async noteUse(sha256s: readonly string[], nowMs: number): Promise<void> {
      await loose.updateTable(table).set({ last_used_at: nowMs }).where(sha256Column, 'in', sha256s).execute()
    },
  }
}

/** Creates the query that every request needs. It is compiled once, and only its parameter changes. */
function createFind<Own extends OwnColumns>(db: Kysely<LooseTables>, kind: CredentialTable<Own>) {
  const { table, sha256Column, ownerColumn } = kind
  const query = db
    .selectFrom(table)
    .select([`${ownerColumn} as owner_id`, 'permissions', 'expires_at', ...Object.keys(kind.own)])
    .where(sha256Column, '=', '')
    .compile() as CompiledQuery<Target & Own>

  /** Returns the event or workspace that a credential opens; undefined for an unknown or ended one. */
  return async (sha256: string, nowMs: number): Promise<FoundCredential<Own> | undefined> => {
    const { rows } = await db.executeQuery<Target & Own>({ ...query, parameters: [sha256] })
    const [row] = rows
    if (row === undefined || !isValidAt(row, nowMs)) return undefined
    const { owner_id: ownerId, permissions, expires_at: _, ...own } = row
    return { ownerId, permissions: parsePermissions(permissions, kind.permissions), own: own as unknown as Own }
  }
}

/** Adds credentials within a transaction, which may create their owner as well. */
export async function insertCredentials<Tables, Own extends OwnColumns>(
  transaction: Transaction<Tables>,
  { table, sha256Column, ownerColumn }: CredentialTable<Own>,
  rows: readonly CredentialRow<Own>[],
): Promise<void> {
  const loose = transaction as unknown as Transaction<LooseTables>
  for (let i = 0; i < rows.length; i += ROWS_PER_INSERT) {
    const values = rows
      .slice(i, i + ROWS_PER_INSERT)
      .map(({ sha256, owner_id, ...row }) => ({ ...row, [sha256Column]: sha256, [ownerColumn]: owner_id }))
    await loose.insertInto(table).values(values).execute()
  }
}

/** Returns the id of a credential in addresses and lists: half of its hash identifies it and opens nothing. */
export function credentialId({ sha256 }: { sha256: string }): string {
  return sha256.slice(0, ID_LENGTH)
}

/**
 * Permissions as they are stored and as a command line gives them: names with commas between them. They are kept in the
 * order of `known`, each once, so that equal permissions have equal texts.
 */
export function formatPermissions<Permission extends string>(
  permissions: readonly Permission[],
  known: readonly Permission[],
): string {
  return known.filter((permission) => permissions.includes(permission)).join()
}

/** Reads stored permissions. A name that this version does not know opens nothing. */
export function parsePermissions<Permission extends string>(
  text: string,
  known: readonly Permission[],
): readonly Permission[] {
  const names = text.split(',')
  return known.filter((permission) => names.includes(permission))
}

/**
 * Reads the permissions that someone has typed, with commas between them.
 * @returns a sentence about the fault, if there is one
 */
export function readPermissions<Permission extends string>(
  text: string,
  known: readonly Permission[],
): readonly Permission[] | { problem: string } {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !known.some((permission) => permission === name))
  if (unknown === undefined) return parsePermissions(names.join(), known)
  return { problem: `${JSON.stringify(unknown)} is not a permission. There are ${known.join(', ')}.` }
}
