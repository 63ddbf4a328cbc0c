import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { challengeUsed, passkeyExists, passkeyRefused, passkeysUnavailable, tooManyPasskeys } from '../errors.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import { passkeyJson } from './list-passkeys.ts'
import { PasskeyCreate, PasskeyCreated } from './passkey-schemas.ts'
import type { PasskeyChallenge, Passkeys } from './passkeys.ts'

type Deps = {
  passkeys: Pick<Passkeys, 'add'>
  passkeyCookie: SealedCookie<PasskeyChallenge>
  logger: Logger
}

/** POST /operator/passkeys */
export function createPasskey(app: HttpServer, { passkeys, passkeyCookie, logger }: Deps) {
  app.post(
    '/operator/passkeys',
    {
      config: { operator: { role: 'viewer', effect: 'changes', withoutSecondFactor: true } },
      schema: {
        operationId: 'createPasskey',
        summary: 'Add a passkey',
        description:
          'It signs in alone, and is a second factor: from now on, the password alone does not sign in. An operator can have 20.',
        tags: ['Second factors'],
        body: PasskeyCreate,
        problems: [passkeyRefused, passkeyExists, tooManyPasskeys, passkeysUnavailable, challengeUsed],
        response: { 201: PasskeyCreated },
      },
    },
    async (request, reply) => {
      const { operatorId, body, ip } = request
      const name = body.name.trim()
      const added = await passkeys.add(operatorId, { ...body, name }, passkeyCookie.read(request))
      passkeyCookie.clear(reply)
      logger.info({ operatorId, passkeyId: added.passkey.id, ip }, 'passkey added')
      return reply.code(201).send({ ...passkeyJson(added.passkey), recovery_codes: added.recoveryCodes })
    },
  )
}
