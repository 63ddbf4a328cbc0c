import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#platform/config.ts'
import { platformConfig } from '#platform/platform-config.ts'
import { configTables } from '../../src/config-tables.ts'
import { startServer } from '../../src/start-server.ts'

type Operation = { tags?: string[] }
type Description = { tags: { name: string }[]; paths: Record<string, Record<string, Operation>> }

/**
 * The description that a server with some services gives of the part of its API whose paths are kept, at the address it
 * has without settings.
 */
export async function openApiDocument(services: string, isKept: (path: string) => boolean): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'docs-'))
  const settings = {
    SERVICES: services,
    PORT: '0',
    DATA_DIR: dataDir,
    BASE_URL: `http://localhost:${platformConfig.port.fallback}`,
    LOG_LEVEL: 'silent',
  }
  const server = await startServer(readConfig(configTables, settings))
  try {
    const response = await fetch(`${server.url}/openapi.json`)
    return `${JSON.stringify(partOf((await response.json()) as Description, isKept), null, 2)}\n`
  } finally {
    await server.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The paths that are kept, with the tags that they have. */
function partOf(description: Description, isKept: (path: string) => boolean): Description {
  const paths = Object.fromEntries(Object.entries(description.paths).filter(([path]) => isKept(path)))
  const used = new Set(
    Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags = [] }) => tags)),
  )
  return { ...description, tags: description.tags.filter(({ name }) => used.has(name)), paths }
}
