import Type from 'typebox'
import type { HttpServer } from '#platform/http/http-server.ts'
import { crossSite, passkeysUnavailable, signInStepEnded } from '../errors.ts'
import { PasskeyOptions } from '../passkeys/passkey-schemas.ts'
import type { PasskeyChallenge, Passkeys } from '../passkeys/passkeys.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import type { SecondStepState } from './second-step.ts'

type Deps = {
  passkeys: Pick<Passkeys, 'ask'>
  passkeyCookie: SealedCookie<PasskeyChallenge>
  secondStepCookie: SealedCookie<SecondStepState>
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
export function askForPasskey(app: HttpServer, { passkeys, passkeyCookie, secondStepCookie }: Deps) {
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
