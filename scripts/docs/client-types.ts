import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// The generator calls TypeScript's JavaScript API, which TypeScript 7 no longer has; it gets the last release that
// does.
const TYPESCRIPT_API = new URL('typescript-api.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' && context.parentURL?.includes('/@hey-api/') ? TYPESCRIPT_API : specifier, context),
})

/** The TypeScript types that @hey-api/openapi-ts generates from an OpenAPI document, as a module. */
export async function clientTypes(document: string): Promise<string> {
  const { createClient } = await import('@hey-api/openapi-ts')
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
