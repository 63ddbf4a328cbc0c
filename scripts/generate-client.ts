import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openApiGenerator } from './docs/open-api-generator.ts'

// Generates the dashboard's client from the OpenAPI document of its server: types, requests, and options for TanStack
// Query. Does nothing in a few milliseconds if neither the document nor the generator has changed.

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const at = (...parts: string[]) => join(ROOT, ...parts)
const DOCUMENT = at('docs', 'api', 'dashboard.openapi.json')
const GENERATED = at('web', 'dashboard', 'generated')
const MARK = join(GENERATED, '.generated-from')
const UNFINISHED = at('web', 'dashboard', `.generated-${process.pid}`)

const hash = hashOf([DOCUMENT, import.meta.filename, at('package-lock.json')])
if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== hash) await generate()

/** Generates into a folder beside, so that a stopped run leaves no half of a client. */
async function generate(): Promise<void> {
  const { createClient } = await openApiGenerator()
  await createClient({
    input: DOCUMENT,
    output: { path: UNFINISHED, importFileExtension: '.ts', entryFile: false },
    plugins: [
      { name: '@hey-api/typescript' },
      { name: '@hey-api/client-fetch', baseUrl: false, throwOnError: true, runtimeConfigPath: '../api/request.ts' },
      { name: '@hey-api/sdk', responseStyle: 'data', auth: false },
      { name: '@tanstack/react-query' },
    ],
    logs: { level: 'silent' },
  })
  writeFileSync(join(UNFINISHED, '.generated-from'), hash)
  rmSync(GENERATED, { recursive: true, force: true })
  renameSync(UNFINISHED, GENERATED)
}

function hashOf(files: string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex')
}
