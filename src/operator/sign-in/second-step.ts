import { tokenHash } from '#platform/tokens/token.ts'
import { CHALLENGE, signInStepEnded, wrongCode } from '../errors.ts'
import type { FactorKind, SecondFactors } from '../factors/second-factors.ts'
import type { KnownBrowser } from '../sessions/known-browsers.ts'
import { type Client, type NewSession, newSession } from '../sessions/start-session.ts'
import type { CredentialsStore } from '../storage/credentials-store.ts'
import type { OperatorsStore } from '../storage/operators-store.ts'
import type { LocalCredentials } from '../storage/provider-accounts.ts'
import type { OperatorRow } from '../storage/tables.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

/** A sign-in with the right password that waits for a second factor. */
export type SecondStep = { operator: OperatorRow; factors: readonly FactorKind[] }

/** The part of a step that the browser keeps, sealed. A changed password ends the step. */
export type SecondStepState = { operatorId: string; passwordSha256: string }

/** Time for finding the phone or the sheet with the codes. */
export const SECOND_STEP_LIFETIME_MS = 600_000

/** Returns the state of a step. */
export function stateOfStep({ operator }: SecondStep): SecondStepState {
  return { operatorId: operator.id, passwordSha256: tokenHash(operator.password_hash!) }
}

type Deps = {
  operators: Pick<OperatorsStore, 'find'>
  credentials: Pick<CredentialsStore, 'openSessionWithFactor'>
  localCredentials: LocalCredentials
  secondFactors: Pick<SecondFactors, 'match'>
  throttle: SignInThrottle
  now: () => number
}

export type SecondStepSignIn = {
  /** Opens the session. @throws wrongCode, signInStepEnded, or rateLimited after too many failures */
  withCode(
    state: SecondStepState | undefined,
    code: string,
    client: Client & { known?: KnownBrowser },
  ): Promise<NewSession>
}

export function createSecondStep(deps: Deps): SecondStepSignIn {
  const { operators, credentials, localCredentials, secondFactors, throttle, now } = deps

  async function signIn(operator: OperatorRow, code: string, client: Client): Promise<NewSession> {
    const use = await secondFactors.match(operator.id, code)
    const { row, token } = newSession(operator.id, client, now())
    if (use === undefined || !(await credentials.openSessionWithFactor(row, operator.password_hash!, use)))
      throw wrongCode({ headers: CHALLENGE })
    return { session: { ...row, operator_name: operator.name }, token }
  }

  return {
    async withCode(state, code, { known, ...client }) {
      const operator = state && (await operators.find(state.operatorId))
      if (operator?.password_hash == null || tokenHash(operator.password_hash) !== state?.passwordSha256)
        throw signInStepEnded()
      if (await localCredentials.areRefusedTo(operator.id)) throw signInStepEnded()
      // Not the lanes of passwords: a right password starts those over, and would allow guessing codes for ever.
      const lane = known?.operatorId === operator.id ? `code of browser ${known.id}` : `code of ${operator.id}`
      return await throttle.attempt({ lane }, () => signIn(operator, code, client))
    },
  }
}
