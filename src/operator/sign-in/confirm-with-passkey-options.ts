import type { HttpServer } from '#platform/http/http-server.ts'
import { passkeysUnavailable } from '../errors.ts'
import { PasskeyOptions } from '../passkeys/passkey-schemas.ts'
import type { PasskeyChallenge, Passkeys } from '../passkeys/passkeys.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'

type Deps = { passkeys: Pick<Passkeys, 'ask'>; passkeyCookie: SealedCookie<PasskeyChallenge> }

/** POST /operator/session/confirmation/options */
export function confirmWithPasskeyOptions(app: HttpServer, { passkeys, passkeyCookie }: Deps) {
  app.post(
    '/operator/session/confirmation/options',
    {
      config: { operator: { role: 'viewer', effect: 'changes', withoutSecondFactor: true } },
      schema: {
        operationId: 'createConfirmationOptions',
        summary: 'Begin to confirm the session with a passkey',
        description: "Asks for one of the current operator's passkeys.",
        tags: ['Signing in'],
        problems: [passkeysUnavailable],
        response: { 200: PasskeyOptions },
      },
    },
    async ({ operatorId }, reply) => {
      const { options, challenge } = await passkeys.ask('confirm', operatorId)
      passkeyCookie.write(reply, challenge)
      return { options }
    },
  )
}
