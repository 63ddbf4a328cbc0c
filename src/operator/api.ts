import fastifyCookie from '@fastify/cookie'
import type { HttpServer } from '#platform/http/http-server.ts'
import { acceptJsonBodies } from '#platform/http/request-body.ts'
import type { ServiceMaintenance } from '#platform/jobs/maintenance-clock.ts'
import { deleteMapFile, getMapSettings, getMapTiles, mapsAccess, updateMap, uploadMapFile } from '../maps/routes.ts'
import { operatorAccess } from './access.ts'
import { createRequestedRights, type KnownThings } from './accounts/operator-accounts.ts'
import { createOperator, createSignInLink, deleteOperator, listOperators, updateOperator } from './accounts/routes.ts'
import { exportAuditLog, listAuditRecords } from './audit/audit-records.ts'
import { recordStrangers } from './audit/record-requests.ts'
import { jobRoutes } from './dashboard/job-routes.ts'
import { confirmClock, getSettings, getUpkeep } from './dashboard/routes.ts'
import { serveDashboard } from './dashboard/serve-dashboard.ts'
import { factorRoutes } from './factors/factor-routes.ts'
import { passkeyRoutes } from './factors/passkey-routes.ts'
import type { OperatorService } from './service.ts'
import { refuseCrossSite, restrictToHost } from './sessions/operator-guard.ts'
import type { SessionStreams } from './sessions/session-streams.ts'
import { endSession, getSession, listSessions } from './sessions/start-session.ts'
import {
  beginProviderConfirmation,
  confirmSession,
  confirmWithPasskeyOptions,
  confirmWithProvider,
  getConfirmationMethods,
} from './sign-in/confirm-session.ts'
import { askForPasskey, signInWithPasskey } from './sign-in/passkey-sign-in.ts'
import { beginProviderSignIn, signInWithProvider, signOutByProvider } from './sign-in/provider-sign-in.ts'
import {
  changePassword,
  checkSignInLink,
  getSignInMethods,
  redeemSignInLink,
  signIn,
  signInWithSecondFactor,
  signOut,
} from './sign-in/routes.ts'

/** Largest JSON body, decoded: names, passwords and the addresses of a map. */
const MAX_BODY_BYTES = 32_768

/**
 * Registers sign-in, the operators' own API and the dashboard, for pages of this server only. `known` finds the events
 * and workspaces that operators can be limited to. `maintenance` has an entry for each service that runs here.
 * `homeOfReaders` returns the address for readers who come to `/`, if there is one.
 */
export async function operatorApi(
  server: HttpServer,
  service: OperatorService,
  known: KnownThings,
  maintenance: readonly ServiceMaintenance[],
  homeOfReaders?: () => Promise<string | undefined>,
): Promise<void> {
  const deps = { ...service.deps, requestedRights: createRequestedRights(known), maintenance }
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
    deps.guard(app, { ...operatorAccess, ...mapsAccess })
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
    createOperator(app, deps)
    updateOperator(app, deps)
    deleteOperator(app, deps)
    createSignInLink(app, deps)
    getSettings(app, deps)
    getMapSettings(app, deps)
    updateMap(app, deps)
    deleteMapFile(app, deps)
    listAuditRecords(app, deps)
    exportAuditLog(app, deps)
    getUpkeep(app, deps)
    confirmClock(app, deps)
    jobRoutes(app, deps)
  })
  await server.register(async (app: HttpServer) => {
    deps.guard(app, mapsAccess)
    uploadMapFile(app, deps)
  })
  await server.register(async (app: HttpServer) => {
    restrictToHost(app, deps)
    endStreamsAfterChanges(app, deps)
    forbidCaching(app)
    signOutByProvider(app, deps)
  })
  await server.register(async (app: HttpServer) => getMapTiles(app, deps))
  serveDashboard(server, { ...deps, homeOfReaders })
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
