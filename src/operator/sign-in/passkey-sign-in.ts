import Type from 'typebox'
import { rateLimited } from '#platform/basics/errors.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { PasskeyChallenge } from '../factors/passkeys.ts'
import { PasskeyOptions, PasskeySignIn } from '../factors/schemas.ts'
import { CHALLENGE, crossSite, passkeysUnavailable, signInStepEnded, wrongPasskey } from '../model/errors.ts'
import { Session } from '../model/schemas.ts'
import { type Client, clientOf, newSession, startSession } from '../sessions/start-session.ts'
import type { SignInDeps } from './authenticate.ts'

/** POST /operator/session/passkey */
export function signInWithPasskey(app: HttpServer, deps: SignInDeps) {
  const { passkeys, passkeyCookie, secondStepCookie, signInStore, localCredentials, throttle, logger, now } = deps

  async function open(response: { id: string }, challenge: PasskeyChallenge | undefined, client: Client) {
    const matched = await passkeys.match(response, 'sign in', challenge)
    if (matched === undefined || (await localCredentials.areRefusedTo(matched.operatorId)))
      throw wrongPasskey({ headers: CHALLENGE })
    const { row, token } = newSession(matched.operatorId, client, now())
    const name = await signInStore.openSessionWithPasskey(row, matched.use)
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

const PasskeyRequest = Type.Object(
  {
    second_step: Type.Boolean({
      description: 'True after a right password: asks for the passkeys of its operator alone.',
      examples: [false],
    }),
  },
  { title: 'PasskeyRequest' },
)

/** POST /operator/session/passkey/options */
export function askForPasskey(app: HttpServer, { passkeys, passkeyCookie, secondStepCookie }: SignInDeps) {
  app.post(
    '/operator/session/passkey/options',
    {
      schema: {
        operationId: 'signInWithPasskeyOptions',
        summary: 'Begin to sign in with a passkey',
        description: 'The response sets a cookie that the answer of the browser is checked with, within ten minutes.',
        tags: ['Signing in'],
        body: PasskeyRequest,
        problems: [crossSite, passkeysUnavailable, signInStepEnded],
        response: { 200: PasskeyOptions },
      },
    },
    async (request, reply) => {
      const step = request.body.second_step ? secondStepCookie.read(request) : undefined
      if (request.body.second_step && step === undefined) throw signInStepEnded()
      const { options, challenge } = await passkeys.ask('sign in', step?.operatorId ?? null)
      passkeyCookie.write(reply, challenge)
      return { options }
    },
  )
}
