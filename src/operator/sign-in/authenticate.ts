import { invalidFields } from '#platform/errors.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import { operatorNameKey } from '../domain/operator-name.ts'
import { CHALLENGE, linkEnded, wrongCredentials, wrongPassword } from '../errors.ts'
import type { SecondFactors } from '../factors/second-factors.ts'
import type { HashLane, PasswordHasher } from '../passwords/password-hasher.ts'
import type { PasswordJudge } from '../passwords/password-judge.ts'
import type { KnownBrowser } from '../sessions/known-browsers.ts'
import { type Client, type NewSession, newSession } from '../sessions/start-session.ts'
import type { CredentialsStore } from '../storage/credentials-store.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'
import type { LocalCredentials } from '../storage/provider-accounts.ts'
import type { OpenSession } from '../storage/sessions-store.ts'
import type { OperatorRow } from '../storage/tables.ts'
import type { SecondStep } from './second-step.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

/** Everything that opens a session or changes a password. Each throws rateLimited after too many failures. */
export type Authentication = {
  /** @throws wrongCredentials, the same for an unknown name, a wrong password and an operator without a password */
  withPassword(name: string, password: string, client: Client & { known?: KnownBrowser }): Promise<SignedIn>
  /**
   * Sets the password and ends other sessions.
   * @throws linkEnded; invalidFields for a password that is easy to guess
   */
  withLink(token: string, password: string, client: Client): Promise<SignedIn>
  /** Returns the name of the operator whose link it is, without using it. @throws linkEnded */
  ownerOfLink(token: string, client: Client): Promise<string>
  /** Checks the password of the operator of a session. @throws wrongPassword */
  verifyPassword(session: OpenSession, password: string): Promise<void>
  /**
   * Ends the operator's other sessions and links.
   * @throws wrongPassword; invalidFields for one that is easy to guess
   */
  changePassword(session: OpenSession, passwords: { current: string; next: string }): Promise<void>
}

/** A session, or the step to a second factor for operators who have one: a link does not replace it either. */
export type SignedIn = NewSession | SecondStep

type Deps = {
  operators: OperatorsStore
  credentials: CredentialsStore
  localCredentials: LocalCredentials
  secondFactors: Pick<SecondFactors, 'kindsOf'>
  hasher: PasswordHasher
  judge: PasswordJudge
  throttle: SignInThrottle
  now: () => number
}

type SignInAttempt = { operator: OperatorRow | undefined; password: string; client: Client; lane: HashLane }

export function createAuthentication(deps: Deps): Authentication {
  const { operators, credentials, localCredentials, secondFactors, hasher, judge, throttle, now } = deps

  async function signIn({ operator, password, client, lane }: SignInAttempt): Promise<SignedIn> {
    const { isRight, isOutdated } = await hasher.verify(password, operator?.password_hash ?? null, lane)
    if (operator === undefined || operator.password_hash === null || !isRight)
      throw wrongCredentials({ headers: CHALLENGE })
    if (await localCredentials.areRefusedTo(operator.id)) throw wrongCredentials({ headers: CHALLENGE })
    const verified = operator.password_hash
    const stored = isOutdated ? await hasher.hash(password, lane) : verified
    const factors = await secondFactors.kindsOf(operator.id)
    if (factors.length > 0) {
      if (isOutdated) await credentials.storeHash(operator.id, { verified, stored })
      return { operator: { ...operator, password_hash: stored }, factors }
    }
    const { row, token } = newSession(operator.id, client, now())
    if (!(await credentials.openSession(row, { verified, stored }))) throw wrongCredentials({ headers: CHALLENGE })
    return { session: { ...row, operator_name: operator.name }, token }
  }

  async function findOwner(linkHash: string, client: Client): Promise<OperatorRow> {
    const found = await operators.findByLink(linkHash, now())
    const operator = found !== undefined && (await localCredentials.areRefusedTo(found.id)) ? undefined : found
    // A valid link has not been guessed, so that the failures of others do not matter.
    return operator ?? (await throttle.attempt({ address: client.address }, () => Promise.reject(linkEnded())))
  }

  async function redeem(
    tokenSha256: string,
    operator: OperatorRow,
    password: string,
    client: Client,
  ): Promise<SignedIn> {
    await requireStrongPassword(judge, password, operator.name)
    const passwordHash = await hasher.hash(password, 'known')
    const nowMs = now()
    const { row, token } = newSession(operator.id, client, nowMs)
    const factors = await secondFactors.kindsOf(operator.id)
    const session = factors.length === 0 ? row : undefined
    if (!(await credentials.redeemLink({ tokenSha256, operatorId: operator.id, passwordHash, nowMs }, session)))
      throw linkEnded()
    if (session === undefined) return { operator: { ...operator, password_hash: passwordHash }, factors }
    return { session: { ...session, operator_name: operator.name }, token }
  }

  async function change(session: OpenSession, { current, next }: { current: string; next: string }): Promise<void> {
    await requireStrongPassword(judge, next, session.operator_name)
    const verified = await verify(deps, session, current)
    const stored = await hasher.hash(next, 'known')
    const changed = await credentials.changePassword(session.operator_id, { verified, stored }, session.token_sha256)
    if (!changed) throw wrongPassword()
  }

  return {
    async withPassword(name, password, { known, ...client }) {
      const nameKey = operatorNameKey(name)
      const operator = await operators.findByName(nameKey)
      const isKnown = known !== undefined && known.operatorId === operator?.id
      const source = isKnown ? { lane: `browser ${known.id}` } : { address: client.address, nameKey }
      return await throttle.attempt(source, (lane) => signIn({ operator, password, client, lane }))
    },

    async withLink(linkToken, password, client) {
      const linkHash = tokenHash(linkToken)
      return await redeem(linkHash, await findOwner(linkHash, client), password, client)
    },

    async ownerOfLink(linkToken, client) {
      return (await findOwner(tokenHash(linkToken), client)).name
    },

    async verifyPassword(session, password) {
      await throttle.attempt(laneOf(session), async () => void (await verify(deps, session, password)))
    },

    async changePassword(session, passwords) {
      await throttle.attempt(laneOf(session), () => change(session, passwords))
    },
  }
}

/** The password of an operator is guessed in one lane, whichever request of the session tries it. */
function laneOf({ token_sha256 }: OpenSession) {
  return { lane: `session ${token_sha256}` }
}

async function requireStrongPassword(judge: PasswordJudge, password: string, operatorName: string): Promise<void> {
  if (await judge.isWeak(password, operatorName))
    throw invalidFields([{ path: 'password', message: 'must be harder to guess: use several unrelated words' }])
}

/** Returns the hash of the password. @throws wrongPassword */
async function verify(
  { operators, localCredentials, hasher }: Deps,
  { operator_id }: OpenSession,
  password: string,
): Promise<string> {
  if (await localCredentials.areRefusedTo(operator_id)) throw wrongPassword()
  const operator = await operators.find(operator_id)
  const verified = operator?.password_hash ?? null
  const { isRight } = await hasher.verify(password, verified, 'known')
  if (verified === null || !isRight) throw wrongPassword()
  return verified
}
