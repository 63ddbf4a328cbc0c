import type { HttpServer } from '#platform/http/http-server.ts'
import { OperatorSettings } from '../schemas.ts'

type Deps = {
  baseUrl: () => string
  /** Returns the public address of published pages. */
  publicUrl: () => string
  /** Largest PDF that can be uploaded. */
  maxUploadBytes: number
  version: string
  /** The services that run in this process. */
  services: readonly string[]
  /** Says whether every operator needs a second factor. */
  requiredFactor: { readonly isRequired: boolean }
  /** Reach of new accounts of the identity provider; null without a provider. */
  providerReach: 'everything' | 'nothing' | null
}

/** GET /operator/settings */
export function getSettings(app: HttpServer, deps: Deps) {
  const { baseUrl, publicUrl, maxUploadBytes, version, services, requiredFactor, providerReach } = deps
  app.get(
    '/operator/settings',
    {
      config: { operator: { role: 'viewer', effect: 'reads', withoutSecondFactor: true } },
      schema: {
        operationId: 'getSettings',
        summary: 'Get the settings',
        description: 'Settings of the server that the dashboard needs.',
        tags: ['Operators'],
        response: { 200: OperatorSettings },
      },
    },
    async () => ({
      base_url: baseUrl(),
      public_url: publicUrl(),
      max_upload_bytes: maxUploadBytes,
      version,
      second_factor_required: requiredFactor.isRequired,
      new_accounts_reach: providerReach,
      services: [...services],
    }),
  )
}
