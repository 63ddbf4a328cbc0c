import { platformConfig } from '#platform/platform-config.ts'
import { tracingConfig } from '#platform/tracing/tracing-config.ts'
import { operatorConfig } from '../../src/operator/config.ts'
import { publicationsConfig } from '../../src/publications/config.ts'
import { tracksConfig } from '../../src/tracks/config.ts'
import { clientTypes } from './client-types.ts'
import { configurationPage } from './configuration-page.ts'
import { definedErrors } from './defined-errors.ts'
import { environmentExample } from './environment-example.ts'
import { errorsPage } from './errors-page.ts'
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

/** Generates every document that derives from the code, by its path in the project. */
export async function generatedDocuments(): Promise<Record<string, string>> {
  const descriptions = await openApiDocuments(['tracks', 'publications', 'dashboard'])
  const model = apiModel(descriptions['docs/api/tracks.openapi.json'])
  return {
    '.env.example': environmentExample(settingsTables),
    'docs/configuration.md': configurationPage(settingsTables),
    'docs/errors.md': errorsPage(definedErrors),
    ...descriptions,
    'clients/swift/Sources/TrackpressClient/Types.swift': swiftTypes(model),
    'clients/kotlin/src/main/kotlin/org/trackpress/client/Types.kt': kotlinTypes(model),
    'test/support/api-types/tracks.ts': await clientTypes(descriptions['docs/api/tracks.openapi.json']),
    'test/support/api-types/publications.ts': await clientTypes(descriptions['docs/api/publications.openapi.json']),
  }
}
