import { rateLimited } from '#platform/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { CHALLENGE, crossSite, wrongPasskey } from '../errors.ts'
import { PasskeySignIn } from '../passkeys/passkey-schemas.ts'
import type { PasskeyChallenge, Passkeys } from '../passkeys/passkeys.ts'
import { Session } from '../schemas.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import { type Client, clientOf, newSession, type StartSessionDeps, startSession } from '../sessions/start-session.ts'
import type { CredentialsStore } from '../storage/credentials-store.ts'
import type { LocalCredentials } from '../storage/provider-accounts.ts'
import type { SecondStepState } from './second-step.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

type Deps = StartSessionDeps & {
  passkeys: Pick<Passkeys, 'match'>
  passkeyCookie: SealedCookie<PasskeyChallenge>
  secondStepCookie: SealedCookie<SecondStepState>
  credentials: Pick<CredentialsStore, 'openSessionWithPasskey'>
  localCredentials: LocalCredentials
  throttle: SignInThrottle
  logger: Logger
}

/** POST /operator/session/passkey */
export function signInWithPasskey(app: HttpServer, deps: Deps) {
  const { passkeys, passkeyCookie, secondStepCookie, credentials, localCredentials, throttle, logger, now } = deps

  async function open(response: { id: string }, challenge: PasskeyChallenge | undefined, client: Client) {
    const matched = await passkeys.match(response, 'sign in', challenge)
    if (matched === undefined || (await localCredentials.areRefusedTo(matched.operatorId)))
      throw wrongPasskey({ headers: CHALLENGE })
    const { row, token } = newSession(matched.operatorId, client, now())
    const name = await credentials.openSessionWithPasskey(row, matched.use)
    if (name === undefined) throw wrongPasskey({ headers: CHALLENGE })
    return { session: { ...row, operator_name: name }, token }
  }

  app.post(
    '/operator/session/passkey',
    {
      schema: {
        operationId: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        description:
          'Alone, or after a right password. The device has asked who uses it, so that a passkey counts as two factors.',
        tags: ['Signing in'],
        body: PasskeySignIn,
        problems: [wrongPasskey, crossSite, rateLimited],
        response: { 200: Session },
      },
    },
    async (request, reply) => {
      const client = clientOf(request)
      const challenge = passkeyCookie.read(request)
      const opened = await throttle
        .attempt({ address: client.address }, () => open(request.body.response, challenge, client))
        .catch((error) => {
          logger.warn({ ip: request.ip, code: error.code }, 'sign-in with a passkey failed')
          throw error
        })
      passkeyCookie.clear(reply)
      secondStepCookie.clear(reply)
      logger.info({ operatorId: opened.session.operator_id, ip: request.ip }, 'operator signed in with a passkey')
      return await startSession(opened, { request, reply }, deps)
    },
  )
}
