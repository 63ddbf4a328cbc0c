import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#platform/config.ts'
import { platformConfig } from '#platform/platform-config.ts'
import { configTables } from '../../src/config-tables.ts'
import { startServer } from '../../src/start-server.ts'

/** The description that a server with one service gives of its API, at the address it has without settings. */
export async function openApiDocument(service: string): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docs-'))
  const settings = {
    SERVICES: service,
    PORT: '0',
    DATA_DIR: dataDir,
    BASE_URL: `http://localhost:${platformConfig.port.fallback}`,
    LOG_LEVEL: 'silent',
  }
  const server = await startServer(readConfig(configTables, settings))
  try {
    const response = await fetch(`${server.url}/openapi.json`)
    return `${JSON.stringify(await response.json(), null, 2)}\n`
  } finally {
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
