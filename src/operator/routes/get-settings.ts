import type { HttpServer } from '#platform/http/http-server.ts'
import type { OperatorDeps } from '../deps.ts'
import { OperatorSettings } from '../schemas.ts'

/** GET /operator/settings */
export function getSettings(app: HttpServer, deps: OperatorDeps) {
  const { mapStyleUrl, baseUrl, publicUrl, maxUploadBytes, version, services } = deps
  app.get(
    '/operator/settings',
    {
      schema: {
        operationId: 'getSettings',
        summary: 'Get the settings',
        description: 'What the dashboard has to know of the server.',
        tags: ['Operators'],
        response: { 200: OperatorSettings },
      },
    },
    async () => ({
      map_style_url: mapStyleUrl === '' ? null : mapStyleUrl,
      base_url: baseUrl(),
      public_url: publicUrl(),
      max_upload_bytes: maxUploadBytes,
      version,
      services: [...services],
    }),
  )
}
