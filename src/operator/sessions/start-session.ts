import type { FastifyReply, FastifyRequest } from 'fastify'
import { tokenHash } from '#platform/tokens/token.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Session } from '../schemas.ts'
import type { NewSession } from '../sign-in/authenticate.ts'
import { expiryOf, sessionJson } from './session-json.ts'

/** Hands a session that was opened to the browser, in the place of the one it may have had, which ends. */
export async function giveSession(
  { session, token }: NewSession,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { sessions, cookie, now }: Pick<OperatorDeps, 'sessions' | 'cookie' | 'now'>,
): Promise<Session> {
  const earlier = cookie.read(request)
  if (earlier !== undefined) await sessions.endByToken(tokenHash(earlier))
  cookie.write(reply, token, expiryOf(session) - now())
  return sessionJson(session)
}
