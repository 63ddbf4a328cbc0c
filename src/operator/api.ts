import fastifyCookie from '@fastify/cookie'
import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import type { ServiceUpkeep } from '#platform/upkeep/upkeep-clock.ts'
import { createOperator } from './accounts/create-operator.ts'
import { createSignInLink } from './accounts/create-sign-in-link.ts'
import { deleteOperator } from './accounts/delete-operator.ts'
import { listOperators } from './accounts/list-operators.ts'
import { createRequestedRights, type KnownThings } from './accounts/requested-rights.ts'
import { updateOperator } from './accounts/update-operator.ts'
import { exportAuditLog } from './audit/api/export-audit-log.ts'
import { listAuditRecords } from './audit/api/list-audit-records.ts'
import { recordStrangers } from './audit/record-requests.ts'
import { getSettings } from './dashboard/get-settings.ts'
import { serveDashboard } from './dashboard/serve-dashboard.ts'
import { factorRoutes } from './factors/factor-routes.ts'
import { deleteMapFile } from './maps/delete-map-file.ts'
import { getMapSettings } from './maps/get-map-settings.ts'
import { getMapTiles } from './maps/get-map-tiles.ts'
import { updateMap } from './maps/update-map.ts'
import { uploadMapFile } from './maps/upload-map-file.ts'
import { passkeyRoutes } from './passkeys/passkey-routes.ts'
import { beginProviderConfirmation } from './provider/begin-provider-confirmation.ts'
import { beginProviderSignIn } from './provider/begin-provider-sign-in.ts'
import { confirmWithProvider } from './provider/confirm-with-provider.ts'
import { signInWithProvider } from './provider/sign-in-with-provider.ts'
import { signOutByProvider } from './provider/sign-out-by-provider.ts'
import type { OperatorService } from './service.ts'
import { refuseCrossSite } from './sessions/cross-site.ts'
import { endSession } from './sessions/end-session.ts'
import { getSession } from './sessions/get-session.ts'
import { listSessions } from './sessions/list-sessions.ts'
import { restrictToHost } from './sessions/restrict-to-host.ts'
import type { SessionStreams } from './sessions/session-streams.ts'
import { askForPasskey } from './sign-in/ask-for-passkey.ts'
import { changePassword } from './sign-in/change-password.ts'
import { checkSignInLink } from './sign-in/check-sign-in-link.ts'
import { confirmSession } from './sign-in/confirm-session.ts'
import { confirmWithPasskeyOptions } from './sign-in/confirm-with-passkey-options.ts'
import { getConfirmationMethods } from './sign-in/get-confirmation-methods.ts'
import { getSignInMethods } from './sign-in/get-sign-in-methods.ts'
import { redeemSignInLink } from './sign-in/redeem-sign-in-link.ts'
import { signIn } from './sign-in/sign-in.ts'
import { signInWithPasskey } from './sign-in/sign-in-with-passkey.ts'
import { signInWithSecondFactor } from './sign-in/sign-in-with-second-factor.ts'
import { signOut } from './sign-in/sign-out.ts'

import { confirmClock } from './upkeep/confirm-clock.ts'
import { getUpkeep } from './upkeep/get-upkeep.ts'

/** Largest JSON body, decoded: names, passwords and the addresses of a map. */
const MAX_BODY_BYTES = 32_768

/**
 * Registers sign-in, the operators' own API and the dashboard, for pages of this server only. `known` finds the events
 * and workspaces that operators can be limited to. `upkeeps` are those of all services that run here.
 */
export async function operatorApi(
  server: HttpServer,
  { deps }: Pick<OperatorService, 'deps'>,
  known: KnownThings,
  upkeeps: readonly ServiceUpkeep[],
): Promise<void> {
  const requestedRights = createRequestedRights(known)
  // Without its hook, which would parse cookies for every route.
  await server.register(fastifyCookie, { hook: false })
  const bodies = { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget }

  await server.register(async (app: HttpServer) => {
    restrictToHost(app, deps)
    refuseCrossSite(app, deps.baseUrl)
    recordStrangers(app, deps)
    endStreamsAfterChanges(app, deps)
    forbidCaching(app)
    acceptJsonBodies(app, bodies)

    signIn(app, deps)
    signInWithSecondFactor(app, deps)
    askForPasskey(app, deps)
    signInWithPasskey(app, deps)
    beginProviderSignIn(app, deps)
    signInWithProvider(app, deps)
    getSignInMethods(app, deps)
    signOut(app, deps)
    checkSignInLink(app, deps)
    redeemSignInLink(app, deps)
  })
  await server.register(async (app: HttpServer) => {
    deps.guard(app)
    endStreamsAfterChanges(app, deps)
    acceptJsonBodies(app, bodies)

    getSession(app, deps)
    getConfirmationMethods(app, deps)
    confirmSession(app, deps)
    confirmWithPasskeyOptions(app, deps)
    beginProviderConfirmation(app, deps)
    confirmWithProvider(app, deps)
    changePassword(app, deps)
    listSessions(app, deps)
    endSession(app, deps)
    factorRoutes(app, deps)
    passkeyRoutes(app, deps)
    listOperators(app, deps)
    createOperator(app, { ...deps, requestedRights })
    updateOperator(app, { ...deps, requestedRights })
    deleteOperator(app, deps)
    createSignInLink(app, deps)
    getSettings(app, deps)
    getMapSettings(app, deps)
    updateMap(app, deps)
    deleteMapFile(app, deps)
    listAuditRecords(app, deps)
    exportAuditLog(app, deps)
    getUpkeep(app, { ...deps, upkeeps })
    confirmClock(app, { ...deps, upkeeps })
  })
  await server.register(async (app: HttpServer) => {
    deps.guard(app)
    uploadMapFile(app, deps)
  })
  await server.register(async (app: HttpServer) => {
    restrictToHost(app, deps)
    endStreamsAfterChanges(app, deps)
    forbidCaching(app)
    signOutByProvider(app, deps)
  })
  await server.register(async (app: HttpServer) => getMapTiles(app, deps))
  serveDashboard(server, deps)
}

/** Ends the event streams of ended sessions and lost rights: most changes in this scope bring either about. */
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
