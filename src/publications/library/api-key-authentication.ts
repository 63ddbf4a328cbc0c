import { requireCredential } from '#platform/credentials/authentication.ts'
import type { TokenLookup } from '#platform/credentials/token.ts'
import { addressGroup } from '#platform/http/client.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { countRequest, type RateLimit } from '#platform/http/rate-limit.ts'
import { keyInvalid, keyMissing, permissionMissing } from '../model/errors.ts'
import { PERMISSIONS } from '../model/fields.ts'
import type { OpenedKey } from './workspace-keys.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The workspace of the request's API key; set before any route that requires a key. */
    workspaceId: string
    /** The permissions of that API key. */
    keyPermissions: OpenedKey['permissions']
  }
}

/** Before the key is read. */
const NOTHING = null as unknown as OpenedKey['permissions']

/** Limits the requests of this scope by client address; scopes with the same limit share it. */
export function limitByAddress(app: HttpServer, limit: RateLimit | undefined): void {
  if (limit === undefined) return
  app.addHook('onRequest', (request, reply, done) => {
    const settling = countRequest(reply, limit, addressGroup(request.ip))
    if (settling === undefined) done()
    else settling.then(() => done(), done)
  })
}

/** Requires an API key for every request in this scope. */
export function requireApiKey(app: HttpServer, { keys }: { keys: TokenLookup<OpenedKey> }): void {
  app.decorateRequest('workspaceId', '')
  app.decorateRequest('keyPermissions', NOTHING)
  requireCredential(app, {
    find: keys,
    kind: 'api_key',
    permissions: PERMISSIONS,
    problems: { missing: keyMissing, invalid: keyInvalid, denied: permissionMissing },
    open(request, { workspaceId, permissions }) {
      request.workspaceId = workspaceId
      request.keyPermissions = permissions
      return { kind: 'workspace', id: workspaceId }
    },
    permissionsOf: ({ keyPermissions }) => keyPermissions,
  })
}
