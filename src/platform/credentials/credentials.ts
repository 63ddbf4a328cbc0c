import type { ErrorDefinition } from '../basics/errors.ts'
import type { Keys } from '../basics/secrets.ts'
import type { Notices } from '../database/notices.ts'
import {
  type CredentialRow,
  type CredentialsStore,
  type CredentialTable,
  type FoundCredential,
  formatPermissions,
  type OwnColumns,
} from './credentials-store.ts'
import { announceEndedTokens, newToken, openToken, rememberTokens, sealToken, TokenUse, tokenHash } from './token.ts'

/** One kind of credential: an app token of an event, or an API key of a workspace. */
export type CredentialKind<Own extends OwnColumns> = CredentialTable<Own> & {
  /** Stands before the random part of each text, so that people and secret scanners recognise it. */
  prefix: string
  /** The permissions of a first credential, and of any other that is created without a choice. */
  defaultPermissions: readonly string[]
  ownerNotFound: ErrorDefinition
  notFound: ErrorDefinition
}

/** The permissions, lifetime and label of a further credential. */
export type CredentialGrant<Own extends OwnColumns> = {
  permissions: readonly string[]
  label: string | null
  /** End of the credential; null without an end. */
  expiresAtMs: number | null
  own: Own
}

/** A credential that was created just now, with its text. */
export type IssuedCredential<Own extends OwnColumns> = { text: string; row: CredentialRow<Own> }

type Options<Own extends OwnColumns> = {
  kind: CredentialKind<Own>
  store: CredentialsStore<Own>
  /** Finds an event or workspace by its id. */
  findOwner(id: string): Promise<{ id: string; name: string } | undefined>
  notices: Notices | undefined
  sealingKeys: Keys
  now: () => number
}

/** The life of the credentials of one kind. */
export type Credentials<Own extends OwnColumns> = ReturnType<typeof createCredentials<Own>>

/** Creates the functions that issue, show, replace and revoke the credentials of one kind. */
export function createCredentials<Own extends OwnColumns>(options: Options<Own>) {
  const { kind, store, findOwner, notices, sealingKeys, now } = options

  function issue(ownerId: string, grant: CredentialGrant<Own>, isFirst = false): IssuedCredential<Own> {
    const text = newToken(kind.prefix)
    const row = {
      sha256: tokenHash(text),
      owner_id: ownerId,
      sealed: sealToken(text, sealingKeys),
      created_at: now(),
      expires_at: grant.expiresAtMs,
      label: grant.label,
      last_used_at: null,
      permissions: formatPermissions(grant.permissions, kind.permissions),
      is_first: isFirst ? 1 : 0,
      ...grant.own,
    }
    return { text, row }
  }

  /** Issues the credential that an owner begins with, which the caller stores. */
  function issueFirst(ownerId: string, label: string | null = null): IssuedCredential<Own> {
    const { defaultPermissions: permissions, own } = kind
    return issue(ownerId, { permissions, label, expiresAtMs: null, own }, true)
  }

  /** Returns an event or workspace. @throws `ownerNotFound` */
  async function requireOwner(id: string): Promise<{ id: string; name: string }> {
    const owner = await findOwner(id)
    if (owner === undefined) throw kind.ownerNotFound()
    return owner
  }

  /** Returns a valid credential of an owner by its id. @throws `notFound` */
  async function get(ownerId: string, id: string): Promise<CredentialRow<Own>> {
    const row = await store.findById(ownerId, id, now())
    if (row === undefined) throw kind.notFound()
    return row
  }

  /** Returns the text of a credential; undefined if it was sealed with another secret. */
  const textOf = ({ sealed }: { sealed: Uint8Array }) => openToken(sealed, sealingKeys)

  return {
    kind,
    issue,
    issueFirst,
    requireOwner,
    get,
    textOf,

    /** Creates credentials, all or none. The owner's others stay valid. @throws `ownerNotFound` */
    async grant(ownerId: string, grants: readonly CredentialGrant<Own>[]): Promise<IssuedCredential<Own>[]> {
      const issued = grants.map((grant) => issue(ownerId, grant))
      const rows = issued.map(({ row }) => row)
      if (!(await store.add(ownerId, rows))) throw kind.ownerNotFound()
      return issued
    },

    /**
     * Creates a first credential. The owner's other first ones stay valid for `keepMs`, and none does where it is 0.
     * @throws `ownerNotFound`
     */
    async rotate(ownerId: string, keepMs: number, label?: string | null) {
      const { id, name } = await requireOwner(ownerId)
      const issued = issueFirst(id, label)
      await store.rotate(issued.row, now() + keepMs)
      await announceEndedTokens(notices, id)
      return { id, name, ...issued }
    },

    /** Returns an owner's valid credentials, newest first. @throws `ownerNotFound` */
    async list(ownerId: string): Promise<CredentialRow<Own>[]> {
      await requireOwner(ownerId)
      return await store.listValid(ownerId, now())
    },

    /** Returns an owner's valid first credentials, newest first. @throws `ownerNotFound` */
    async listFirst(ownerId: string): Promise<CredentialRow<Own>[]> {
      await requireOwner(ownerId)
      return await store.listFirst(ownerId, now())
    },

    /**
     * Returns the text of an owner's newest first credential; undefined if there is none, or if it was sealed with
     * another secret.
     * @throws `ownerNotFound`
     */
    async showFirst(ownerId: string): Promise<{ id: string; name: string; text: string | undefined }> {
      const { id, name } = await requireOwner(ownerId)
      const [newest] = await store.listFirst(id, now())
      return { id, name, text: newest === undefined ? undefined : textOf(newest) }
    },

    /** Ends a credential for all instances. @throws `notFound` */
    async revoke(ownerId: string, id: string): Promise<void> {
      const { sha256 } = await get(ownerId, id)
      if (!(await store.end(ownerId, sha256))) throw kind.notFound()
      await announceEndedTokens(notices, ownerId)
    },
  }
}

type LookupOptions<Own extends OwnColumns, Opened> = {
  store: CredentialsStore<Own>
  /** Returns the event or workspace that a valid credential opens. */
  opened(credential: FoundCredential<Own>): Opened
  notices: Notices | undefined
  now: () => number
  onFailure(error: unknown): void
}

/**
 * Creates the function that finds the credentials of requests. A use is recorded only when the credential is looked up:
 * of many requests at about the same time, the first.
 */
export function createCredentialLookup<Own extends OwnColumns, Opened extends object>(
  options: LookupOptions<Own, Opened>,
) {
  const { store, opened, notices, now, onFailure } = options
  const use = new TokenUse({ store, now, onFailure })
  const find = async (sha256: string) => {
    const credential = await store.find(sha256, now())
    if (credential === undefined) return undefined
    use.note(sha256)
    return opened(credential)
  }
  return { find: rememberTokens(find, notices, now), use }
}
