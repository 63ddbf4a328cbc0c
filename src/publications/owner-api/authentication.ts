import type { HttpServer } from '#platform/http/http-server.ts'
import { addressGroup } from '#platform/http/limits/client-address.ts'
import type { RateLimit } from '#platform/http/limits/rate-limit.ts'
import { countRequest } from '#platform/http/limits/rate-limit-headers.ts'
import { requirePermissions } from '#platform/http/permissions/require-permissions.ts'
import { describeAsSecured } from '#platform/http/problems/describe-problems.ts'
import { requestToken } from '#platform/tokens/request-token.ts'
import { tokenHash } from '#platform/tokens/token.ts'
import type { TokenLookup } from '#platform/tokens/token-lookup.ts'
import { PERMISSIONS } from '../domain/permission.ts'
import { keyInvalid, keyMissing, permissionMissing } from '../errors.ts'
import type { OpenedKey } from '../storage/workspaces-store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The workspace of the request's API key; set before any route that requires a key. */
    workspaceId: string
    /** The permissions of that API key. */
    keyPermissions: OpenedKey['permissions']
  }
}

type Deps = { keys: TokenLookup<OpenedKey> }

/** Before the key is read. */
const NOTHING = null as unknown as OpenedKey['permissions']

const CHALLENGE = { 'www-authenticate': 'Bearer realm="trackpress", charset="UTF-8"' }

/** Limits the requests of this scope by client address; scopes with the same limit share it. */
export function limitByAddress(app: HttpServer, limit: RateLimit | undefined): void {
  if (limit === undefined) return
  app.addHook('onRequest', (request, reply, done) => {
    const settling = countRequest(reply, limit, addressGroup(request.ip))
    if (settling === undefined) done()
    else settling.then(() => done(), done)
  })
}

/** Requires an API key for every request in this scope, with the permission that the schema of the route names. */
export function requireApiKey(app: HttpServer, { keys }: Deps): void {
  describeAsSecured(app, [keyMissing, keyInvalid])
  app.decorateRequest('workspaceId', '')
  app.decorateRequest('keyPermissions', NOTHING)
  app.addHook('onRequest', async (request, reply) => {
    const token = requestToken(request.headers)
    if (token === undefined) throw keyMissing({ headers: CHALLENGE })
    const hash = tokenHash(token)
    const found = await keys(hash)
    if (found === undefined) throw keyInvalid({ headers: CHALLENGE, refused: { kind: 'api_key', sha256: hash } })
    request.workspaceId = found.workspaceId
    request.tokenHash = hash
    request.tokenOwner = { kind: 'workspace', id: found.workspaceId }
    request.keyPermissions = found.permissions
    reply.raw.setHeader('cache-control', 'no-store')
  })
  requirePermissions(app, {
    known: PERMISSIONS,
    permissionsOf: ({ keyPermissions }) => keyPermissions,
    denied: permissionMissing,
  })
}
