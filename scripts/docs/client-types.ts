import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiGenerator } from './open-api-generator.ts'

/** The TypeScript types that @hey-api/openapi-ts generates from an OpenAPI document, as a module. */
export async function clientTypes(document: string): Promise<string> {
  const { createClient } = await openApiGenerator()
  const folder = mkdtempSync(join(tmpdir(), 'client-types-'))
  try {
    const input = join(folder, 'openapi.json')
    writeFileSync(input, document)
    await createClient({
      input,
      output: { path: join(folder, 'types') },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    })
    return readFileSync(join(folder, 'types', 'types.gen.ts'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
