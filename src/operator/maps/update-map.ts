import type { HttpServer } from '#platform/http/http-server.ts'
import type { Logger } from '#platform/logger.ts'
import type { ChosenMap } from './chosen-map.ts'
import { MapChoiceUpdate, MapSettings } from './map-schemas.ts'
import { type MapSettingsDeps, mapSettingsJson } from './map-settings-json.ts'

type Deps = MapSettingsDeps & { chosenMap: Pick<ChosenMap, 'choose'>; logger: Logger }

/** PUT /operator/map */
export function updateMap(app: HttpServer, deps: Deps) {
  app.put(
    '/operator/map',
    {
      config: { operator: { role: 'owner', effect: 'publishes' } },
      schema: {
        operationId: 'updateMap',
        summary: 'Choose the map',
        description: `Sets the map of all pages on all instances; a page shows it when it is next loaded. The server never requests the
addresses of a style. It allows pages to: their content security policy names the origins.`,
        tags: ['Map'],
        body: MapChoiceUpdate,
        response: { 200: MapSettings },
      },
    },
    async ({ operatorId, body }) => {
      await deps.chosenMap.choose(body)
      deps.logger.info({ kind: body.kind, by: operatorId }, 'map chosen')
      return await mapSettingsJson(deps)
    },
  )
}
