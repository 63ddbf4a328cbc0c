import fastifyCookie from '@fastify/cookie'
import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { createOperator } from './accounts/create-operator.ts'
import { createSignInLink } from './accounts/create-sign-in-link.ts'
import { deleteOperator } from './accounts/delete-operator.ts'
import { listOperators } from './accounts/list-operators.ts'
import { getSettings } from './dashboard/get-settings.ts'
import { serveDashboard } from './dashboard/serve-dashboard.ts'
import { deleteMapFile } from './maps/delete-map-file.ts'
import { getMapSettings } from './maps/get-map-settings.ts'
import { getMapTiles } from './maps/get-map-tiles.ts'
import { updateMap } from './maps/update-map.ts'
import { uploadMapFile } from './maps/upload-map-file.ts'
import type { OperatorService } from './service.ts'
import { refuseCrossSite } from './sessions/cross-site.ts'
import { endSession } from './sessions/end-session.ts'
import { getSession } from './sessions/get-session.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { restrictToHost } from './sessions/restrict-to-host.ts'
import type { SessionStreams } from './sessions/session-streams.ts'
import { changePassword } from './sign-in/change-password.ts'
import { checkSignInLink } from './sign-in/check-sign-in-link.ts'
import { redeemSignInLink } from './sign-in/redeem-sign-in-link.ts'
import { signIn } from './sign-in/sign-in.ts'
import { signOut } from './sign-in/sign-out.ts'

/** Largest JSON body, decoded: names, passwords and the addresses of a map. */
const MAX_BODY_BYTES = 32_768

/** Registers sign-in, the operators' own API and the dashboard, for pages of this server only. */
export async function operatorApi(server: HttpServer, { deps }: Pick<OperatorService, 'deps'>): Promise<void> {
  // Without its hook, which would parse cookies for every route.
  await server.register(fastifyCookie, { hook: false })
  const bodies = { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget }

  await server.register(async (app: HttpServer) => {
    restrictToHost(app, deps)
    refuseCrossSite(app, deps.baseUrl)
    endStreamsAfterChanges(app, deps)
    forbidCaching(app)
    acceptJsonBodies(app, bodies)

    signIn(app, deps)
    signOut(app, deps)
    checkSignInLink(app, deps)
    redeemSignInLink(app, deps)
  })
  await server.register(async (app: HttpServer) => {
    deps.guard(app)
    endStreamsAfterChanges(app, deps)
    acceptJsonBodies(app, bodies)

    getSession(app)
    changePassword(app, deps)
    listSessions(app, deps)
    endSession(app, deps)
    listOperators(app, deps)
    createOperator(app, deps)
    deleteOperator(app, deps)
    createSignInLink(app, deps)
    getSettings(app, deps)
    getMapSettings(app, deps)
    updateMap(app, deps)
    deleteMapFile(app, deps)
  })
  await server.register(async (app: HttpServer) => {
    deps.guard(app)
    uploadMapFile(app, deps)
  })
  await server.register(async (app: HttpServer) => getMapTiles(app, deps))
  serveDashboard(server, deps)
}

/** Ends the event streams of ended sessions: most changes in this scope end sessions. */
function endStreamsAfterChanges(app: HttpServer, { sessionStreams }: { sessionStreams: SessionStreams }): void {
  app.addHook('onResponse', ({ method }, _reply, done) => {
    if (method !== 'GET' && method !== 'HEAD') sessionStreams.check()
    done()
  })
}

function forbidCaching(app: HttpServer): void {
  app.addHook('onRequest', (_request, { raw }, done) => {
    raw.setHeader('cache-control', 'no-store')
    done()
  })
}
