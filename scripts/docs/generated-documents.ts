import type { OpenAPIV3_1 } from 'openapi-types'
import { tracingConfig } from '#platform/tracing/tracing-config.ts'
import { platformConfig } from '../../src/config.ts'
import { mapsAccess } from '../../src/maps/routes.ts'
import { operatorAccess } from '../../src/operator/access.ts'
import { operatorConfig } from '../../src/operator/model/config.ts'
import { publicationsAccess } from '../../src/publications/access.ts'
import { publicationsConfig } from '../../src/publications/model/config.ts'
import { tracksAccess } from '../../src/tracks/access.ts'
import { tracksConfig } from '../../src/tracks/model/config.ts'
import { accessPage } from './access-page.ts'
import { configurationPage, environmentExample } from './configuration-page.ts'
import { definedErrors, errorsPage } from './errors-page.ts'
import { apiModel } from './languages/api-model.ts'
import { kotlinTypes } from './languages/kotlin-types.ts'
import { swiftTypes } from './languages/swift-types.ts'
import { openApiDocuments } from './open-api-documents.ts'

/** The settings of each service, by its name in the documentation. */
export const settingsTables = {
  'The process': platformConfig,
  'Track recording': tracksConfig,
  Publication: publicationsConfig,
  'The dashboard': operatorConfig,
  Traces: tracingConfig,
}

/** The rules of access for operators, by part of the program. */
const ACCESS = {
  'The dashboard': operatorAccess,
  Map: mapsAccess,
  'Track recording': tracksAccess,
  Publication: publicationsAccess,
}

/** Generates every document that derives from the code, by its path in the project. */
export async function generatedDocuments(): Promise<Record<string, string>> {
  const descriptions = await openApiDocuments(['tracks', 'publications', 'dashboard'])
  const model = apiModel(descriptions['docs/api/tracks.openapi.json'])
  return {
    '.env.example': environmentExample(settingsTables),
    'docs/configuration.md': configurationPage(settingsTables),
    'docs/errors.md': errorsPage(definedErrors),
    'docs/access.md': accessPage(ACCESS, summariesOf(Object.values(descriptions))),
    ...descriptions,
    'clients/swift/Sources/TrackpressClient/Types.swift': swiftTypes(model),
    'clients/kotlin/src/main/kotlin/org/trackpress/client/Types.kt': kotlinTypes(model),
  }
}

/** Returns the summary of each operation in API descriptions, by operationId. */
function summariesOf(descriptions: readonly string[]): ReadonlyMap<string, string> {
  const operations = descriptions.flatMap((text) =>
    Object.values((JSON.parse(text) as OpenAPIV3_1.Document).paths ?? {}).flatMap(
      (item) => Object.values(item ?? {}) as OpenAPIV3_1.OperationObject[],
    ),
  )
  return new Map(operations.map(({ operationId = '', summary = '' }) => [operationId, summary]))
}
