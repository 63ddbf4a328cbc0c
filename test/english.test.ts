import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A doc comment begins with a verb or a noun, so not with one of these words. */
const FIRST_WORD =
  /\/\*\*\s+(?:\* )?((?:What|Whatever|Who|Whoever|Whom|Whose|How|Where|Whether|When|Which|That)\b[^\n]*)/g

/** Maximum number of exceptions by folder. Only lower these bounds. */
const BOUNDS: Record<string, number> = {
  bench: 0,
  clients: 0,
  demo: 0,
  scripts: 0,
  src: 0,
  web: 0,
}

const GENERATED = ['test/acceptance/generated-types/api/**', 'web/dashboard/generated/**']

describe('doc comments', () => {
  for (const [folder, bound] of Object.entries(BOUNDS)) {
    test(`in ${folder} begin with a verb or a noun`, () => {
      const found = globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: ROOT, exclude: GENERATED }).flatMap((file) =>
        [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(FIRST_WORD)].map(([, comment]) => `${file}: ${comment}`),
      )

      assert.ok(found.length <= bound, `${found.length} comments, at most ${bound}:\n${found.join('\n')}`)
    })
  }
})

/** Lines of comments that a tool reads as a whole; Biome's directives may not be wrapped. */
const DIRECTIVE = /biome-ignore|@ts-expect-error/

describe('comments', () => {
  test('are as wide as the code, which the formatter wraps', () => {
    const { lineWidth } = JSON.parse(readFileSync(`${ROOT}biome.json`, 'utf8')).formatter
    const isLong = (line: string) => line.length > lineWidth && /^\s*(\/?\*|\/\/)/.test(line) && !DIRECTIVE.test(line)

    const found = sourceFiles().flatMap((file) =>
      readFileSync(`${ROOT}${file}`, 'utf8')
        .split('\n')
        .flatMap((line, i) => (isLong(line) ? [`${file}:${i + 1}`] : [])),
    )

    assert.deepEqual(found, [])
  })
})

/** Files that people write; the types of the API and the dashboard's client are generated. */
function sourceFiles(): string[] {
  return globSync('{bench,clients,demo,scripts,src,test,web}/**/*.{ts,tsx,mjs,css}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', 'test/data/**', ...GENERATED],
  })
}
