import type { SignInThrottle } from '#platform/credentials/sign-in-throttle.ts'
import type { BodyBudget } from '#platform/http/body-limits.ts'
import type { OperatorsStore } from '../accounts/operators-store.ts'
import type { FactorDeps } from '../factors/factors.ts'
import type { SealedCookie } from '../sessions/cookies.ts'
import type { SessionDeps } from '../sessions/start-session.ts'
import type { Authentication, SecondStepState } from './authenticate.ts'
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
