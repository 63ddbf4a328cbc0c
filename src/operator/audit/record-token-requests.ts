import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '#platform/http/http-server.ts'
import { TOKEN_ID_LENGTH } from '#platform/http/server/request-log.ts'
import { auditUnavailable } from '../errors.ts'
import { type AuditDeps, beginRecord, followOutcomes } from './record-requests.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']
/** Kinds of what tokens open. */
const OWNERS = { event: true, workspace: true }
/** Kinds of tokens by what they open. */
const KINDS = { event: 'token', workspace: 'key' } as const

/**
 * Records what programs delete with an app token or an API key, and what they do with webhooks, with the name of the
 * token. What they send or publish is not recorded. To be called before any route is added.
 */
export function recordTokenRequests(app: HttpServer, deps: AuditDeps): void {
  followOutcomes(app, deps)
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat()
    if (route.schema?.permission === undefined || !methods.some((method) => isTelling(method, route.url))) return
    route.schema = { ...route.schema, problems: [auditUnavailable, ...(route.schema.problems ?? [])] }
  })
  app.addHook('preHandler', async (request) => {
    const { tokenOwner: owner, tokenHash, method, routeOptions } = request
    if (owner == null || !isTelling(method, routeOptions.url ?? '')) return
    const id = tokenHash.slice(0, TOKEN_ID_LENGTH)
    const name = await deps.subjectNames.find(KINDS[owner.kind], id, owner.id)
    // What programs delete is gone by its title, too: the record has its id.
    const known =
      method === 'DELETE' && !isOfWebhooks(routeOptions.url ?? '')
        ? { ...deps, subjectNames: withoutContents(deps.subjectNames) }
        : deps
    await beginRecord(request as FastifyRequest, known, {
      ...{ operator_id: id, operator_name: name, source: 'api', within: owner },
    })
  })
}

function isTelling(method: string, url: string): boolean {
  return method === 'DELETE' || (isOfWebhooks(url) && !SAFE_METHODS.includes(method))
}

function isOfWebhooks(url: string): boolean {
  return url.includes('/webhooks')
}

/** Returns names of events and workspaces alone. */
function withoutContents(names: AuditDeps['subjectNames']): AuditDeps['subjectNames'] {
  return {
    ...names,
    find: async (kind, id, within) => (kind in OWNERS ? await names.find(kind, id, within) : null),
    valuesOf: async () => undefined,
  }
}
