import { randomUUID } from 'node:crypto'
import { invalidFields } from '#platform/errors.ts'
import { newToken, tokenHash } from '#platform/tokens/token.ts'
import { operatorNameKey } from '../domain/operator-name.ts'
import { passwordWeakness } from '../domain/password-weakness.ts'
import { CHALLENGE, linkEnded, wrongCredentials, wrongPassword } from '../errors.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import type { CredentialsStore } from '../storage/credentials-store.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'
import type { OpenSession } from '../storage/sessions-store.ts'
import type { SessionRow } from '../storage/tables.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

/** Where an attempt comes from: for the limits, and for people to recognise their sessions by. */
export type Client = { address: string; userAgent: string }

/** A session that was opened just now; the token is for the cookie, and nowhere else. */
export type NewSession = { session: OpenSession; token: string }

/** All that opens a session or changes a password. Each throws rateLimited for who failed too often. */
export type SigningIn = {
  /** @throws wrongCredentials alike for an unknown name, a wrong password and an operator without one */
  withPassword(name: string, password: string, client: Client): Promise<NewSession>
  /** Sets the password; other sessions end. @throws linkEnded; invalidFields for a password that is easy to guess */
  withLink(token: string, password: string, client: Client): Promise<NewSession>
  /** The operator's other sessions and links end. @throws wrongPassword; invalidFields as above */
  changePassword(session: OpenSession, passwords: { current: string; next: string }, client: Client): Promise<void>
}

const TOKEN_PREFIX = 'ses'
const MAX_USER_AGENT_LENGTH = 300

type Deps = {
  operators: OperatorsStore
  credentials: CredentialsStore
  hasher: PasswordHasher
  throttle: SignInThrottle
  now: () => number
}

export function createSigningIn({ operators, credentials, hasher, throttle, now }: Deps): SigningIn {
  async function signIn(nameKey: string, password: string, client: Client): Promise<NewSession> {
    const operator = await operators.findByName(nameKey)
    const { isRight, isOutdated } = await hasher.verify(password, operator?.password_hash ?? null)
    if (operator === undefined || operator.password_hash === null || !isRight)
      throw wrongCredentials({ headers: CHALLENGE })
    const verified = operator.password_hash
    const stored = isOutdated ? await hasher.hash(password) : verified
    const { row, token } = newSession(operator.id, client, now())
    if (!(await credentials.openSession(row, { verified, stored }))) throw wrongCredentials({ headers: CHALLENGE })
    return { session: { ...row, operator_name: operator.name }, token }
  }

  async function redeem(linkToken: string, password: string, client: Client): Promise<NewSession> {
    const linkHash = tokenHash(linkToken)
    const operator = await operators.findByLink(linkHash, now())
    if (operator === undefined) throw linkEnded()
    requireGoodPassword(password, operator.name)
    const stored = await hasher.hash(password)
    const { row, token } = newSession(operator.id, client, now())
    if (!(await credentials.redeemLink(linkHash, stored, row))) throw linkEnded()
    return { session: { ...row, operator_name: operator.name }, token }
  }

  async function change(session: OpenSession, { current, next }: { current: string; next: string }): Promise<void> {
    const operator = await operators.find(session.operator_id)
    const verified = operator?.password_hash ?? null
    const { isRight } = await hasher.verify(current, verified)
    if (verified === null || !isRight) throw wrongPassword()
    const stored = await hasher.hash(next)
    const changed = await credentials.changePassword(session.operator_id, { verified, stored }, session.token_sha256)
    if (!changed) throw wrongPassword()
  }

  return {
    async withPassword(name, password, client) {
      const nameKey = operatorNameKey(name)
      return await throttle.attempt({ address: client.address, nameKey }, () => signIn(nameKey, password, client))
    },

    async withLink(linkToken, password, client) {
      return await throttle.attempt({ address: client.address }, () => redeem(linkToken, password, client))
    },

    async changePassword(session, passwords, client) {
      requireGoodPassword(passwords.next, session.operator_name)
      const from = { address: client.address, nameKey: operatorNameKey(session.operator_name) }
      await throttle.attempt(from, () => change(session, passwords))
    },
  }
}

function newSession(
  operatorId: string,
  { address, userAgent }: Client,
  nowMs: number,
): { row: SessionRow; token: string } {
  const token = newToken(TOKEN_PREFIX)
  const row = {
    token_sha256: tokenHash(token),
    id: randomUUID(),
    operator_id: operatorId,
    created_at: nowMs,
    last_seen_at: nowMs,
    user_agent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    address,
  }
  return { row, token }
}

function requireGoodPassword(password: string, operatorName: string): void {
  const weakness = passwordWeakness(password, operatorName)
  if (weakness !== undefined) throw invalidFields([{ path: 'password', message: weakness }])
}
