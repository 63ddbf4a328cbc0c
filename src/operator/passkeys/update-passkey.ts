import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import { passkeyNotFound } from '../errors.ts'
import { IdParams } from '../schemas.ts'
import type { PasskeysStore } from '../storage/passkeys-store.ts'
import { passkeyJson } from './list-passkeys.ts'
import { Passkey, PasskeyUpdate } from './passkey-schemas.ts'

type Deps = { passkeysStore: Pick<PasskeysStore, 'rename'>; logger: Logger }

/** PATCH /operator/passkeys/:id */
export function updatePasskey(app: HttpServer, { passkeysStore, logger }: Deps) {
  app.patch(
    '/operator/passkeys/:id',
    {
      config: { operator: { role: 'viewer', effect: 'changes' } },
      schema: {
        operationId: 'updatePasskey',
        summary: 'Rename a passkey',
        description: 'The name is for people. The device goes on showing its own.',
        tags: ['Second factors'],
        params: IdParams,
        body: PasskeyUpdate,
        problems: [passkeyNotFound],
        response: { 200: Passkey },
      },
    },
    async ({ operatorId, params, body, ip }) => {
      const renamed = await passkeysStore.rename(operatorId, params.id, body.name.trim())
      if (renamed === undefined) throw passkeyNotFound()
      logger.info({ operatorId, passkeyId: params.id, ip }, 'passkey renamed')
      return passkeyJson(renamed)
    },
  )
}
