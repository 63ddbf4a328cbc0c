import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SecondFactorNeeded } from '../factors/factor-schemas.ts'
import type { Session } from '../schemas.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import { type StartSessionDeps, startSession } from '../sessions/start-session.ts'
import type { SignedIn } from './authenticate.ts'
import { type SecondStepState, stateOfStep } from './second-step.ts'

export type AnswerSignInDeps = StartSessionDeps & { secondStepCookie: SealedCookie<SecondStepState> }

/** Answers a right password or a link: with the new session, or with 202 where a second factor has to follow. */
export async function answerSignIn(
  signedIn: SignedIn,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  deps: AnswerSignInDeps,
): Promise<Session | SecondFactorNeeded> {
  if ('session' in signedIn) return await startSession(signedIn, { request, reply }, deps)
  deps.secondStepCookie.write(reply, stateOfStep(signedIn))
  reply.code(202)
  return { second_factors: [...signedIn.factors] }
}
