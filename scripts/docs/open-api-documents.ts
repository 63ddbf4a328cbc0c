import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#platform/basics/config.ts'
import { configTables, platformConfig } from '../../src/config.ts'
import { startServer } from '../../src/server.ts'

/**
 * The OpenAPI documents of the named parts of the API, by their paths in `docs/api`, as a
 * server with default settings serves them.
 */
export async function openApiDocuments(parts: readonly string[]): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docs-'))
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    BASE_URL: `http://localhost:${platformConfig.port.fallback}`,
    LOG_LEVEL: 'silent',
  }
  const server = await startServer(readConfig(configTables, settings))
  try {
    const documents: Record<string, string> = {}
    for (const part of parts) {
      const response = await fetch(`${server.url}/${part}.openapi.json`)
      documents[`docs/api/${part}.openapi.json`] = `${JSON.stringify(await response.json(), null, 2)}\n`
    }
    return documents
  } finally {
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
