import type { Database } from '#platform/database/connect.ts'
import type { BodyBudget } from '#platform/http/bodies/request-body.ts'
import type { OperatorGuard } from '#platform/http/server/operator-guard.ts'
import type { Logger } from '#platform/logger.ts'
import type { OperatorAccounts } from './accounts/operator-accounts.ts'
import type { SessionCookie } from './sessions/session-cookie.ts'
import type { SessionStreams } from './sessions/session-streams.ts'
import type { SigningIn } from './sign-in/authenticate.ts'
import type { FailuresStore } from './storage/failures-store.ts'
import type { OperatorsStore } from './storage/operators-store.ts'
import type { SessionsStore } from './storage/sessions-store.ts'
import type { OperatorTables } from './storage/tables.ts'

/** What the part is built from. */
export type OperatorDeps = {
  database: Database<OperatorTables>
  operators: OperatorsStore
  sessions: SessionsStore
  sessionStreams: SessionStreams
  failures: FailuresStore
  accounts: OperatorAccounts
  signingIn: SigningIn
  cookie: SessionCookie
  guard: OperatorGuard
  logger: Logger
  bodyBudget: BodyBudget
  /** Milliseconds since 1970. */
  now: () => number
  /** Public address of the dashboard and its API, known once the server listens. */
  baseUrl: () => string
  /** Addresses of other sites that this server answers, where nothing of the operators is. */
  otherUrls: () => readonly string[]
  /** Public address of the pages that readers see. */
  publicUrl: () => string
  /** Largest PDF that may be uploaded. */
  maxUploadBytes: number
  version: string
  /** The services that run beside it. */
  services: readonly string[]
  /** Empty without one. */
  mapStyleUrl: string
  mapOrigins: readonly string[]
  /** Folder of the built dashboard. */
  dashboardDir: string
}
