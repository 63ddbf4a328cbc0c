import { formatDateTime } from '#platform/basics/time.ts'
import { type HttpServer, noContent } from '#platform/http/http-server.ts'
import {
  challengeUsed,
  lastLocalOwner,
  passkeyExists,
  passkeyNotFound,
  passkeyRefused,
  passkeysUnavailable,
  signsInAtProvider,
  tooManyPasskeys,
} from '../model/errors.ts'
import { IdParams } from '../model/schemas.ts'
import type { PasskeyRow } from '../model/tables.ts'
import type { FactorDeps } from './factors.ts'
import { Passkey, PasskeyCreate, PasskeyCreated, PasskeyList, PasskeyOptions, PasskeyUpdate } from './schemas.ts'

/** Registers the routes for an operator's own passkeys, in a guarded scope. */
export function passkeyRoutes(app: HttpServer, deps: FactorDeps): void {
  listPasskeys(app, deps)
  createPasskeyOptions(app, deps)
  createPasskey(app, deps)
  updatePasskey(app, deps)
  deletePasskey(app, deps)
}

/** GET /operator/passkeys */
function listPasskeys(app: HttpServer, { passkeysStore }: FactorDeps) {
  app.get(
    '/operator/passkeys',
    {
      schema: {
        operationId: 'listPasskeys',
        summary: 'List the passkeys',
        description: "The current operator's passkeys.",
        tags: ['Second factors'],
        response: { 200: PasskeyList },
      },
    },
    async ({ operatorId }) => ({ passkeys: (await passkeysStore.list(operatorId)).map(passkeyJson) }),
  )
}

/** Represents a passkey without its key. */
function passkeyJson({ id, name, created_at, last_used_at }: PasskeyRow): Passkey {
  return {
    id,
    name,
    created_at: formatDateTime(created_at),
    last_used_at: last_used_at === null ? null : formatDateTime(last_used_at),
  }
}

/** POST /operator/passkeys/options */
function createPasskeyOptions(app: HttpServer, { passkeys, passkeyCookie, localCredentials }: FactorDeps) {
  app.post(
    '/operator/passkeys/options',
    {
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

/** POST /operator/passkeys */
function createPasskey(app: HttpServer, { passkeys, passkeyCookie, logger }: FactorDeps) {
  app.post(
    '/operator/passkeys',
    {
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

/** PATCH /operator/passkeys/:id */
function updatePasskey(app: HttpServer, { passkeysStore, logger }: FactorDeps) {
  app.patch(
    '/operator/passkeys/:id',
    {
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

/** DELETE /operator/passkeys/:id */
function deletePasskey(app: HttpServer, { passkeysStore, logger }: FactorDeps) {
  app.delete(
    '/operator/passkeys/:id',
    {
      schema: {
        operationId: 'deletePasskey',
        summary: 'Remove a passkey',
        description: 'With the last second factor, the recovery codes end, and the password is enough again.',
        tags: ['Second factors'],
        params: IdParams,
        problems: [passkeyNotFound, lastLocalOwner],
        response: { 204: noContent('The passkey is removed.') },
      },
    },
    async ({ operatorId, params, ip }, reply) => {
      if (!(await passkeysStore.remove(operatorId, params.id))) throw passkeyNotFound()
      logger.info({ operatorId, passkeyId: params.id, ip }, 'passkey removed')
      return reply.code(204).send()
    },
  )
}
