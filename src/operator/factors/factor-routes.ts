import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import type { FactorsStore } from '../storage/factors-store.ts'
import type { LocalCredentials } from '../storage/provider-accounts.ts'
import { confirmAuthenticatorApp } from './confirm-authenticator-app.ts'
import { createAuthenticatorApp } from './create-authenticator-app.ts'
import { deleteAuthenticatorApp } from './delete-authenticator-app.ts'
import { listSecondFactors } from './list-second-factors.ts'
import { replaceRecoveryCodes } from './replace-recovery-codes.ts'
import type { SecondFactors } from './second-factors.ts'

type Deps = {
  factors: FactorsStore
  secondFactors: SecondFactors
  localCredentials: LocalCredentials
  baseUrl: () => string
  logger: Logger
}

/** Registers what operators do with their own second factors, in a guarded scope. */
export function factorRoutes(app: HttpServer, deps: Deps): void {
  listSecondFactors(app, deps)
  createAuthenticatorApp(app, deps)
  confirmAuthenticatorApp(app, deps)
  deleteAuthenticatorApp(app, deps)
  replaceRecoveryCodes(app, deps)
}
