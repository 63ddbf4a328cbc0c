import { randomUUID } from 'node:crypto'
import { newToken, tokenHash } from '#platform/tokens/token.ts'
import { operatorNameKey } from '../domain/operator-name.ts'
import type { OperatorRights } from '../domain/operator-rights.ts'
import type { Operator, OperatorsStore } from '../storage/operators-store.ts'
import type { SignInLinkRow } from '../storage/tables.ts'

/** New operators have a week to follow their link; those who lost a password have an hour. */
const FIRST_LINK_LIFETIME_MS = 7 * 86_400_000
const RECOVERY_LINK_LIFETIME_MS = 3_600_000

const TOKEN_PREFIX = 'lnk'

/** A link that sets a password and signs in. The token is in the fragment, which browsers send to no server. */
export type SignInLink = { path: string; expiresAtMs: number }

/** Changes to operators, for the dashboard and the command line. */
export type OperatorAccounts = {
  /** Creates an operator without a password, and the link to set one. @throws operatorNameTaken */
  create(name: string, rights: OperatorRights): Promise<{ operator: Operator; link: SignInLink }>
  /**
   * Creates a link to set a new password and ends earlier links. Until it is used, the password stays.
   * @throws operatorNotFound, accountSuspended or signsInAtProvider
   */
  recover(operatorId: string): Promise<SignInLink>
}

export function createOperatorAccounts(operators: OperatorsStore, now: () => number): OperatorAccounts {
  function newLink(operatorId: string, lifetimeMs: number): { link: SignInLink; row: SignInLinkRow } {
    const token = newToken(TOKEN_PREFIX)
    const nowMs = now()
    const expiresAtMs = nowMs + lifetimeMs
    return {
      link: { path: `/dashboard/sign-in#token=${token}`, expiresAtMs },
      row: { token_sha256: tokenHash(token), operator_id: operatorId, created_at: nowMs, expires_at: expiresAtMs },
    }
  }

  return {
    async create(name, rights) {
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

    async recover(operatorId) {
      const { link, row } = newLink(operatorId, RECOVERY_LINK_LIFETIME_MS)
      await operators.replaceLink(row)
      return link
    },
  }
}
