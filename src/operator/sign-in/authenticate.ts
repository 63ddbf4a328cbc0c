import type { FastifyRequest } from 'fastify'
import { invalidFields } from '#platform/basics/errors.ts'
import { threadPool } from '#platform/basics/thread-pool.ts'
import type { HashLane, PasswordHasher } from '#platform/credentials/password-hash.ts'
import type { SignInThrottle } from '#platform/credentials/sign-in-throttle.ts'
import { tokenHash } from '#platform/credentials/token.ts'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import type { OperatorsStore } from '../accounts/operators-store.ts'
import type { FindRefused } from '../audit/record-requests.ts'
import type { FactorDeps, FactorKind, SecondFactors } from '../factors/factors.ts'
import { CHALLENGE, linkEnded, signInStepEnded, wrongCode, wrongCredentials, wrongPassword } from '../model/errors.ts'
import type { LocalCredentials } from '../model/provider-accounts.ts'
import type { OpenSession } from '../model/sessions-store.ts'
import { operatorNameKey } from '../model/sign-in-rules.ts'
import type { OperatorRow } from '../model/tables.ts'
import type { KnownBrowser, SealedCookie } from '../sessions/cookies.ts'
import { type Client, type NewSession, newSession, type SessionDeps } from '../sessions/start-session.ts'
import type { buildProvider } from './identity-provider.ts'
import type { SignInStore } from './sign-in-store.ts'

/** Parts that routes of signing in and of confirming a session are built from. */
export type SignInDeps = SessionDeps &
  FactorDeps &
  ReturnType<typeof buildProvider> & {
    operators: OperatorsStore
    signInStore: SignInStore
    throttle: SignInThrottle
    authentication: Authentication
    secondStepCookie: SealedCookie<SecondStepState>
    bodyBudget: BodyBudget
  }

/** The thread, and with it the dictionaries, ends after this time without a password. */
const IDLE_MS = 10_000

export type PasswordJudge = ReturnType<typeof createPasswordJudge>

/** Creates a judge of new passwords. It runs in a thread: judging a long password takes up to half a second. */
export function createPasswordJudge() {
  const pool = threadPool<[string, string], boolean>(new URL('./password-weakness.ts', import.meta.url), {
    run: 'isWeakPassword',
    maxThreads: 1,
    idleMs: IDLE_MS,
  })
  return {
    /** Tells whether a password is easy to guess. */
    isWeak: (password: string, operatorName: string): Promise<boolean> => pool.run([password, operatorName]),
    close: pool.close,
  }
}

/** A session, or the step to a second factor for operators who have one: a link does not replace it either. */
export type SignedIn = NewSession | SecondStep

type Deps = {
  operators: OperatorsStore
  signInStore: SignInStore
  localCredentials: LocalCredentials
  secondFactors: SecondFactors
  hasher: PasswordHasher
  judge: PasswordJudge
  throttle: SignInThrottle
  now: () => number
}

type SignInAttempt = { operator: OperatorRow | undefined; password: string; client: Client; lane: HashLane }
type KnownClient = Client & { known?: KnownBrowser | undefined }

/** Everything that opens a session or changes a password. Each throws rateLimited after too many failures. */
export class Authentication {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** @throws wrongCredentials, the same for an unknown name, a wrong password and an operator without a password */
  async withPassword(name: string, password: string, { known, ...client }: KnownClient): Promise<SignedIn> {
    const { operators, throttle } = this.#deps
    const nameKey = operatorNameKey(name)
    const operator = await operators.findByName(nameKey)
    const isKnown = known !== undefined && known.operatorId === operator?.id
    const source = isKnown ? { lane: `browser ${known.id}` } : { address: client.address, nameKey }
    return await throttle.attempt(source, (lane) => this.#signIn({ operator, password, client, lane }))
  }

  /**
   * Opens the session of a sign-in that waits for a code.
   * @throws wrongCode, signInStepEnded, or rateLimited after too many failures
   */
  async withCode(
    state: SecondStepState | undefined,
    code: string,
    { known, ...client }: KnownClient,
  ): Promise<NewSession> {
    const { operators, localCredentials, throttle } = this.#deps
    const operator = state && (await operators.find(state.operatorId))
    if (operator?.password_hash == null || tokenHash(operator.password_hash) !== state?.passwordSha256)
      throw signInStepEnded()
    if (await localCredentials.areRefusedTo(operator.id)) throw signInStepEnded()
    // Not the lanes of passwords: a right password starts those over, and would allow guessing codes for ever.
    const lane = known?.operatorId === operator.id ? `code of browser ${known.id}` : `code of ${operator.id}`
    return await throttle.attempt({ lane }, () => this.#signInWithCode(operator, code, client))
  }

  /**
   * Sets the password and ends other sessions.
   * @throws linkEnded; invalidFields for a password that is easy to guess
   */
  async withLink(linkToken: string, password: string, client: Client): Promise<SignedIn> {
    const { signInStore, secondFactors, hasher, judge, now } = this.#deps
    const tokenSha256 = tokenHash(linkToken)
    const operator = await this.#findOwner(tokenSha256, client)
    await requireStrongPassword(judge, password, operator.name)
    const passwordHash = await hasher.hash(password, 'known')
    const nowMs = now()
    const { row, token } = newSession(operator.id, client, nowMs)
    const factors = await secondFactors.kindsOf(operator.id)
    const session = factors.length === 0 ? row : undefined
    if (!(await signInStore.redeemLink({ tokenSha256, operatorId: operator.id, passwordHash, nowMs }, session)))
      throw linkEnded()
    if (session === undefined) return { operator: { ...operator, password_hash: passwordHash }, factors }
    return { session: { ...session, operator_name: operator.name }, token }
  }

  /** Returns the name of the operator whose link it is, without using it. @throws linkEnded */
  async ownerOfLink(linkToken: string, client: Client): Promise<string> {
    return (await this.#findOwner(tokenHash(linkToken), client)).name
  }

  /** Checks the password of the operator of a session. @throws wrongPassword */
  async verifyPassword(session: OpenSession, password: string): Promise<void> {
    await this.#deps.throttle.attempt(laneOf(session), async () => void (await this.#verify(session, password)))
  }

  /**
   * Ends the operator's other sessions and links.
   * @throws wrongPassword; invalidFields for one that is easy to guess
   */
  async changePassword(session: OpenSession, { current, next }: { current: string; next: string }): Promise<void> {
    const { signInStore, hasher, judge, throttle } = this.#deps
    await throttle.attempt(laneOf(session), async () => {
      await requireStrongPassword(judge, next, session.operator_name)
      const verified = await this.#verify(session, current)
      const stored = await hasher.hash(next, 'known')
      const changed = await signInStore.changePassword(session.operator_id, { verified, stored }, session.token_sha256)
      if (!changed) throw wrongPassword()
    })
  }

  async #signIn({ operator, password, client, lane }: SignInAttempt): Promise<SignedIn> {
    const { signInStore, localCredentials, secondFactors, hasher, now } = this.#deps
    const { isRight, isOutdated } = await hasher.verify(password, operator?.password_hash ?? null, lane)
    if (operator === undefined || operator.password_hash === null || !isRight)
      throw wrongCredentials({ headers: CHALLENGE })
    if (await localCredentials.areRefusedTo(operator.id)) throw wrongCredentials({ headers: CHALLENGE })
    const verified = operator.password_hash
    const stored = isOutdated ? await hasher.hash(password, lane) : verified
    const factors = await secondFactors.kindsOf(operator.id)
    if (factors.length > 0) {
      if (isOutdated) await signInStore.storeHash(operator.id, { verified, stored })
      return { operator: { ...operator, password_hash: stored }, factors }
    }
    const { row, token } = newSession(operator.id, client, now())
    if (!(await signInStore.openSession(row, { verified, stored }))) throw wrongCredentials({ headers: CHALLENGE })
    return { session: { ...row, operator_name: operator.name }, token }
  }

  async #signInWithCode(operator: OperatorRow, code: string, client: Client): Promise<NewSession> {
    const { signInStore, secondFactors, now } = this.#deps
    const use = await secondFactors.match(operator.id, code)
    const { row, token } = newSession(operator.id, client, now())
    if (use === undefined || !(await signInStore.openSessionWithFactor(row, operator.password_hash!, use)))
      throw wrongCode({ headers: CHALLENGE })
    return { session: { ...row, operator_name: operator.name }, token }
  }

  async #findOwner(linkHash: string, client: Client): Promise<OperatorRow> {
    const { operators, localCredentials, throttle, now } = this.#deps
    const owner = await operators.findByLink(linkHash, now())
    const operator = owner !== undefined && (await localCredentials.areRefusedTo(owner.id)) ? undefined : owner
    // A valid link has not been guessed, so that the failures of others do not matter.
    return operator ?? (await throttle.attempt({ address: client.address }, () => Promise.reject(linkEnded())))
  }

  /** Returns the hash of the password. @throws wrongPassword */
  async #verify({ operator_id }: OpenSession, password: string): Promise<string> {
    const { operators, localCredentials, hasher } = this.#deps
    if (await localCredentials.areRefusedTo(operator_id)) throw wrongPassword()
    const operator = await operators.find(operator_id)
    const verified = operator?.password_hash ?? null
    const { isRight } = await hasher.verify(password, verified, 'known')
    if (verified === null || !isRight) throw wrongPassword()
    return verified
  }
}

/** Guesses at an operator's password share one lane, in all requests of the session. */
function laneOf({ token_sha256 }: OpenSession) {
  return { lane: `session ${token_sha256}` }
}

async function requireStrongPassword(judge: PasswordJudge, password: string, operatorName: string): Promise<void> {
  if (await judge.isWeak(password, operatorName))
    throw invalidFields([{ path: 'password', message: 'must be harder to guess: use several unrelated words' }])
}

/** A sign-in with the right password that waits for a second factor. */
type SecondStep = { operator: OperatorRow; factors: readonly FactorKind[] }

/** The part of a step that the browser keeps, sealed. A changed password ends the step. */
export type SecondStepState = { operatorId: string; passwordSha256: string }

/** Time for finding the phone or the sheet with the codes. */
export const SECOND_STEP_LIFETIME_MS = 600_000

/** Returns the state of a step. */
export function stateOfStep({ operator }: SecondStep): SecondStepState {
  return { operatorId: operator.id, passwordSha256: tokenHash(operator.password_hash!) }
}

/**
 * Creates a function that finds the operator whom a refused sign-in named, and the hash of a refused link. A name that
 * no operator has is not kept: people type passwords into its field.
 */
export function createFindRefused(operators: OperatorsStore): FindRefused['findRefused'] {
  return async ({ body }: FastifyRequest) => {
    if (typeof body !== 'object' || body === null) return {}
    const { name, token } = body as { name?: unknown; token?: unknown }
    if (typeof token === 'string') return { sha256: tokenHash(token) }
    const operator = typeof name === 'string' ? await operators.findByName(operatorNameKey(name)) : undefined
    return operator === undefined ? {} : { subject: { kind: 'operator', id: operator.id, name: operator.name } }
  }
}
