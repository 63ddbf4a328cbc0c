import { platformConfig } from '#platform/platform-config.ts'
import { operatorConfig } from '../../src/operator/config.ts'
import { publicationsConfig } from '../../src/publications/config.ts'
import { tracksConfig } from '../../src/tracks/config.ts'
import { configurationPage } from './configuration-page.ts'
import { definedErrors } from './defined-errors.ts'
import { environmentExample } from './environment-example.ts'
import { errorsPage } from './errors-page.ts'
import { openApiDocument } from './open-api-document.ts'

/** The settings of each part, with its name for readers. */
export const settingsTables = {
  'The process': platformConfig,
  'Track recording': tracksConfig,
  Publication: publicationsConfig,
  'The dashboard': operatorConfig,
}

/** Every document that is made from the code, by its path in the project. */
export async function generatedDocuments(): Promise<Record<string, string>> {
  return {
    '.env.example': environmentExample(settingsTables),
    'docs/configuration.md': configurationPage(settingsTables),
    'docs/errors.md': errorsPage(definedErrors),
    'docs/api/tracks.openapi.json': await openApiDocument('tracks', (path) => !isOfOperators(path)),
    'docs/api/publications.openapi.json': await openApiDocument('publications', (path) => !isOfOperators(path)),
    'docs/api/dashboard.openapi.json': await openApiDocument('tracks,publications,dashboard', isOfOperators),
  }
}

/** What operators use, and what they share with spectators: it is there where the dashboard is. */
function isOfOperators(path: string): boolean {
  return path.startsWith('/operator/') || path.startsWith('/shares/')
}
