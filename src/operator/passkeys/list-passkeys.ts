import type { HttpServer } from '#platform/http/http-server.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import type { PasskeysStore } from '../storage/passkeys-store.ts'
import type { PasskeyRow } from '../storage/tables.ts'
import { type Passkey, PasskeyList } from './passkey-schemas.ts'

type Deps = { passkeysStore: Pick<PasskeysStore, 'list'> }

/** GET /operator/passkeys */
export function listPasskeys(app: HttpServer, { passkeysStore }: Deps) {
  app.get(
    '/operator/passkeys',
    {
      config: { operator: { role: 'viewer', effect: 'reads', withoutSecondFactor: true } },
      schema: {
        operationId: 'listPasskeys',
        summary: 'List the passkeys',
        description: "The current operator's passkeys.",
        tags: ['Second factors'],
        response: { 200: PasskeyList },
      },
    },
    async ({ operatorId }) => ({ passkeys: (await passkeysStore.list(operatorId)).map(passkeyJson) }),
  )
}

/** Represents a passkey without its key. */
export function passkeyJson({ id, name, created_at, last_used_at }: PasskeyRow): Passkey {
  return {
    id,
    name,
    created_at: formatDateTime(created_at),
    last_used_at: last_used_at === null ? null : formatDateTime(last_used_at),
  }
}
