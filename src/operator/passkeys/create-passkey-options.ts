import type { HttpServer } from '#platform/http/http-server.ts'
import { passkeysUnavailable, signsInAtProvider } from '../errors.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import type { LocalCredentials } from '../storage/provider-accounts.ts'
import { PasskeyOptions } from './passkey-schemas.ts'
import type { PasskeyChallenge, Passkeys } from './passkeys.ts'

type Deps = {
  passkeys: Pick<Passkeys, 'askForNew'>
  passkeyCookie: SealedCookie<PasskeyChallenge>
  localCredentials: LocalCredentials
}

/** POST /operator/passkeys/options */
export function createPasskeyOptions(app: HttpServer, { passkeys, passkeyCookie, localCredentials }: Deps) {
  app.post(
    '/operator/passkeys/options',
    {
      config: { operator: { role: 'viewer', effect: 'admits', withoutSecondFactor: true } },
      schema: {
        operationId: 'createPasskeyOptions',
        summary: 'Begin to add a passkey',
        description: 'The response sets a cookie that the answer of the browser is checked with, within ten minutes.',
        tags: ['Second factors'],
        problems: [passkeysUnavailable, signsInAtProvider],
        response: { 200: PasskeyOptions },
      },
    },
    async ({ operatorId, operatorSession }, reply) => {
      if (await localCredentials.areRefusedTo(operatorId)) throw signsInAtProvider()
      const { options, challenge } = await passkeys.askForNew({ id: operatorId, name: operatorSession.operator_name })
      passkeyCookie.write(reply, challenge)
      return { options }
    },
  )
}
