import { invalidFields } from '#platform/errors.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import { operatorNameKey } from '../domain/operator-name.ts'
import { CHALLENGE, linkEnded, wrongCredentials, wrongPassword } from '../errors.ts'
import type { PasswordHasher } from '../passwords/password-hasher.ts'
import { isWeakPassword } from '../passwords/password-weakness.ts'
import { type Client, type NewSession, newSession } from '../sessions/start-session.ts'
import type { CredentialsStore } from '../storage/credentials-store.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'
import type { OpenSession } from '../storage/sessions-store.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

/** Everything that opens a session or changes a password. Each throws rateLimited after too many failures. */
export type Authentication = {
  /** @throws wrongCredentials, the same for an unknown name, a wrong password and an operator without a password */
  withPassword(name: string, password: string, client: Client): Promise<NewSession>
  /** Sets the password and ends other sessions. @throws linkEnded; invalidFields for a password that is easy to guess */
  withLink(token: string, password: string, client: Client): Promise<NewSession>
  /** Ends the operator's other sessions and links. @throws wrongPassword; invalidFields for one that is easy to guess */
  changePassword(session: OpenSession, passwords: { current: string; next: string }, client: Client): Promise<void>
}

type Deps = {
  operators: OperatorsStore
  credentials: CredentialsStore
  hasher: PasswordHasher
  throttle: SignInThrottle
  now: () => number
}

export function createAuthentication({ operators, credentials, hasher, throttle, now }: Deps): Authentication {
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
    await requireStrongPassword(password, operator.name)
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
      await requireStrongPassword(passwords.next, session.operator_name)
      const from = { address: client.address, nameKey: operatorNameKey(session.operator_name) }
      await throttle.attempt(from, () => change(session, passwords))
    },
  }
}

async function requireStrongPassword(password: string, operatorName: string): Promise<void> {
  if (await isWeakPassword(password, operatorName))
    throw invalidFields([{ path: 'password', message: 'must be harder to guess: use several unrelated words' }])
}
