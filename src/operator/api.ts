import { acceptJsonBodies } from '#platform/http/bodies/json-body.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { serveDashboard } from './dashboard/serve-dashboard.ts'
import type { OperatorDeps } from './deps.ts'
import { changePassword } from './routes/change-password.ts'
import { createOperator } from './routes/create-operator.ts'
import { createSignInLink } from './routes/create-sign-in-link.ts'
import { deleteOperator } from './routes/delete-operator.ts'
import { endSession } from './routes/end-session.ts'
import { getSession } from './routes/get-session.ts'
import { getSettings } from './routes/get-settings.ts'
import { listOperators } from './routes/list-operators.ts'
import { listSessions } from './routes/list-sessions.ts'
import { redeemSignInLink } from './routes/redeem-sign-in-link.ts'
import { signIn } from './routes/sign-in.ts'
import { signOut } from './routes/sign-out.ts'
import { refuseCrossSite } from './sessions/cross-site.ts'
import { keepToOwnHost } from './sessions/restrict-to-host.ts'

/** Largest JSON body, decoded: names and passwords. */
const MAX_BODY_BYTES = 16_384

/** Signing in, the operators, and the dashboard: for pages of this server alone. */
export async function operatorApi(server: HttpServer, deps: OperatorDeps): Promise<void> {
  const bodies = { limitBytes: MAX_BODY_BYTES, budget: deps.bodyBudget }

  await server.register(async (plugin) => {
    const app = plugin as unknown as HttpServer
    keepToOwnHost(app, deps)
    refuseCrossSite(app, deps.baseUrl)
    endStreams(app, deps)
    keepNothing(app)
    acceptJsonBodies(app, bodies)

    signIn(app, deps)
    signOut(app, deps)
    redeemSignInLink(app, deps)
  })
  await server.register(async (plugin) => {
    const app = plugin as unknown as HttpServer
    deps.guard(app)
    endStreams(app, deps)
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
  })
  serveDashboard(server, deps)
}

/** Most of what changes something here ends sessions, and so what they have open. */
function endStreams(app: HttpServer, { sessionStreams }: OperatorDeps): void {
  app.addHook('onResponse', ({ method }, _reply, done) => {
    if (method !== 'GET' && method !== 'HEAD') sessionStreams.look()
    done()
  })
}

function keepNothing(app: HttpServer): void {
  app.addHook('onRequest', (_request, { raw }, done) => {
    raw.setHeader('cache-control', 'no-store')
    done()
  })
}
