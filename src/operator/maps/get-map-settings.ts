import type { HttpServer } from '#platform/http/http-server.ts'
import { MapSettings } from './map-schemas.ts'
import { type MapSettingsDeps, mapSettingsJson } from './map-settings-json.ts'

/** GET /operator/map */
export function getMapSettings(app: HttpServer, deps: MapSettingsDeps) {
  app.get(
    '/operator/map',
    {
      config: { operator: { role: 'owner', effect: 'reads' } },
      schema: {
        operationId: 'getMapSettings',
        summary: 'Get the map',
        description: 'The map of all pages, and the files to choose from.',
        tags: ['Map'],
        response: { 200: MapSettings },
      },
    },
    async () => await mapSettingsJson(deps),
  )
}
