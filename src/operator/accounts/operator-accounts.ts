import { randomUUID } from 'node:crypto'
import { invalidFields } from '#platform/basics/errors.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { newToken, tokenHash } from '#platform/credentials/token.ts'
import { type OperatorLimits, type OperatorRights, rightsJson } from '../model/operator-rights.ts'
import type { Operator as OperatorAnswer, OperatorUpdate, SignInLink } from '../model/schemas.ts'
import { operatorNameKey } from '../model/sign-in-rules.ts'
import type { SignInLinkRow } from '../model/tables.ts'
import type { Operator, OperatorsStore } from './operators-store.ts'

/** New operators have a week to follow their link; operators who lost a password have an hour. */
const FIRST_LINK_LIFETIME_MS = 7 * 86_400_000
const RECOVERY_LINK_LIFETIME_MS = 3_600_000

const TOKEN_PREFIX = 'lnk'

/** A link that sets a password and signs in. The token is in the fragment, which browsers send to no server. */
type OperatorAccountsSignInLink = { path: string; expiresAtMs: number }

/** Changes to operators, for the dashboard and the command line. */
export type OperatorAccounts = ReturnType<typeof createOperatorAccounts>

export function createOperatorAccounts(operators: OperatorsStore, now: () => number) {
  function newLink(operatorId: string, lifetimeMs: number): { link: OperatorAccountsSignInLink; row: SignInLinkRow } {
    const token = newToken(TOKEN_PREFIX)
    const nowMs = now()
    const expiresAtMs = nowMs + lifetimeMs
    return {
      link: { path: `/dashboard/sign-in#token=${token}`, expiresAtMs },
      row: { token_sha256: tokenHash(token), operator_id: operatorId, created_at: nowMs, expires_at: expiresAtMs },
    }
  }

  return {
    /** Creates an operator without a password, and the link to set one. @throws operatorNameTaken */
    async create(
      name: string,
      rights: OperatorRights,
    ): Promise<{ operator: Operator; link: OperatorAccountsSignInLink }> {
      const operator: Operator = {
        id: randomUUID(),
        name,
        name_key: operatorNameKey(name),
        password_hash: null,
        created_at: now(),
        last_sign_in_at: null,
        role: rights.role,
        is_limited: rights.limitedTo === null ? 0 : 1,
        suspended_at: null,
        rights,
        mayHaveCredentials: true,
      }
      const { link, row } = newLink(operator.id, FIRST_LINK_LIFETIME_MS)
      await operators.create(operator, row)
      return { operator, link }
    },

    /**
     * Creates a link to set a new password and ends earlier links. Until it is used, the password stays.
     * @throws operatorNotFound, accountSuspended or signsInAtProvider
     */
    async recover(operatorId: string): Promise<OperatorAccountsSignInLink> {
      const { link, row } = newLink(operatorId, RECOVERY_LINK_LIFETIME_MS)
      await operators.replaceLink(row)
      return link
    },
  }
}

/**
 * Ways to find out whether an event or a workspace exists. Undefined where its service does not run in this process.
 */
export type KnownThings = { [Kind in keyof OperatorLimits]: ((id: string) => Promise<boolean>) | undefined }

/**
 * Reads the rights that a request asks for, as a change of the present rights. Where it gives no role or no limits, the
 * present ones stay, except that an owner has no limits. The change throws invalidFields for limits of an owner.
 * @throws invalidFields for events and workspaces that do not exist
 */
export type RequestedRights = (asked: OperatorUpdate) => Promise<(before: OperatorRights) => OperatorRights>

/** Creates the reader of requests. It looks for the things of services that run in this process. */
export function createRequestedRights(known: KnownThings): RequestedRights {
  return async (asked) => {
    const unknown = asked.limited_to == null ? [] : await findUnknown(asked.limited_to, known)
    if (unknown.length > 0)
      throw invalidFields(
        unknown.map(({ kind, i }) => ({ path: `limited_to/${kind}/${i}`, message: 'does not exist' })),
      )
    return (before) => rightsAfter(asked, before)
  }
}

function rightsAfter({ role: askedRole, limited_to: asked }: OperatorUpdate, before: OperatorRights): OperatorRights {
  const role = askedRole ?? before.role
  if (role !== 'owner') return { role, limitedTo: asked === undefined ? before.limitedTo : asked }
  if (asked != null) throw invalidFields([{ path: 'limited_to', message: 'must be null for an owner' }])
  return { role, limitedTo: null }
}

/** An event or a workspace that does not exist, with its place in the list. */
type UnknownThing = { kind: keyof OperatorLimits; i: number; id: string }

/** Returns those events and workspaces that do not exist. Kinds that `known` does not know are not looked for. */
export async function findUnknown(limits: OperatorLimits, known: KnownThings): Promise<UnknownThing[]> {
  const all = (['events', 'workspaces'] as const).flatMap((kind) => limits[kind].map((id, i) => ({ kind, i, id })))
  const exist = await Promise.all(all.map(async ({ kind, id }) => (await known[kind]?.(id)) ?? true))
  return all.filter((_thing, i) => !exist[i])
}

/** Represents an operator without secrets. */
export function operatorJson(operator: Operator, hasSecondFactor: boolean): OperatorAnswer {
  return {
    id: operator.id,
    name: operator.name,
    created_at: formatDateTime(operator.created_at),
    last_sign_in_at: operator.last_sign_in_at === null ? null : formatDateTime(operator.last_sign_in_at),
    may_have_credentials: operator.mayHaveCredentials,
    has_password: operator.password_hash !== null,
    ...rightsJson(operator.rights),
    has_second_factor: hasSecondFactor,
    suspended_at: operator.suspended_at === null ? null : formatDateTime(operator.suspended_at),
  }
}

/** Represents a sign-in link with its full address. */
export function signInLinkJson({ path, expiresAtMs }: OperatorAccountsSignInLink, baseUrl: string): SignInLink {
  return { url: `${baseUrl}${path}`, expires_at: formatDateTime(expiresAtMs) }
}
