import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import type { SealedCookie } from '../sessions/sealed-cookie.ts'
import type { PasskeysStore } from '../storage/passkeys-store.ts'
import type { LocalCredentials } from '../storage/provider-accounts.ts'
import { createPasskey } from './create-passkey.ts'
import { createPasskeyOptions } from './create-passkey-options.ts'
import { deletePasskey } from './delete-passkey.ts'
import { listPasskeys } from './list-passkeys.ts'
import type { PasskeyChallenge, Passkeys } from './passkeys.ts'
import { updatePasskey } from './update-passkey.ts'

type Deps = {
  passkeys: Passkeys
  passkeysStore: PasskeysStore
  passkeyCookie: SealedCookie<PasskeyChallenge>
  localCredentials: LocalCredentials
  logger: Logger
}

/** Registers what operators do with their own passkeys, in a guarded scope. */
export function passkeyRoutes(app: HttpServer, deps: Deps): void {
  listPasskeys(app, deps)
  createPasskeyOptions(app, deps)
  createPasskey(app, deps)
  updatePasskey(app, deps)
  deletePasskey(app, deps)
}
