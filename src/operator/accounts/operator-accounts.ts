import { randomUUID } from 'node:crypto'
import { newToken, tokenHash } from '#platform/tokens/token.ts'
import { operatorNameKey } from '../domain/operator-name.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'
import type { OperatorRow, SignInLinkRow } from '../storage/tables.ts'

/** Who is new gets a week to follow the link, who has lost a password an hour. */
const FIRST_LINK_LIFETIME_MS = 7 * 86_400_000
const RECOVERY_LINK_LIFETIME_MS = 3_600_000

const TOKEN_PREFIX = 'lnk'

/** A link that sets a password and signs in. The token is in the fragment, which no server and no log gets to see. */
export type SignInLink = { path: string; expiresAtMs: number }

/** What one does with operators, from the dashboard and from the command line alike. */
export type OperatorAccounts = {
  /** Makes an operator without a password, and the link to set it. @throws operatorNameTaken */
  create(name: string): Promise<{ operator: OperatorRow; link: SignInLink }>
  /** Makes a link for who cannot sign in; earlier ones end, the password stays until it is used. @throws operatorNotFound */
  recover(operatorId: string): Promise<SignInLink>
}

export function createOperatorAccounts(operators: OperatorsStore, now: () => number): OperatorAccounts {
  function freshLink(operatorId: string, lifetimeMs: number): { link: SignInLink; row: SignInLinkRow } {
    const token = newToken(TOKEN_PREFIX)
    const nowMs = now()
    const expiresAtMs = nowMs + lifetimeMs
    return {
      link: { path: `/dashboard/sign-in#token=${token}`, expiresAtMs },
      row: { token_sha256: tokenHash(token), operator_id: operatorId, created_at: nowMs, expires_at: expiresAtMs },
    }
  }

  return {
    async create(name) {
      const operator: OperatorRow = {
        id: randomUUID(),
        name,
        name_key: operatorNameKey(name),
        password_hash: null,
        created_at: now(),
        last_sign_in_at: null,
      }
      const { link, row } = freshLink(operator.id, FIRST_LINK_LIFETIME_MS)
      await operators.create(operator, row)
      return { operator, link }
    },

    async recover(operatorId) {
      const { link, row } = freshLink(operatorId, RECOVERY_LINK_LIFETIME_MS)
      await operators.replaceLink(row)
      return link
    },
  }
}
