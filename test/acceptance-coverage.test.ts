import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const HERE = fileURLToPath(new URL('.', import.meta.url))

/** Matches a reference such as `recording › in real time: …` to a test of `test/recording.test.ts`. */
const REFERENCE = /`([\w/-]+) › ([^`]+)`/g

describe('test/acceptance/COVERAGE.md', () => {
  const page = readFileSync(`${HERE}acceptance/COVERAGE.md`, 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what'))

  test('names a test for every line', () => {
    assert.ok(rows.length > 100)
    for (const row of rows) assert.notEqual(row.match(REFERENCE), null, row)
  })

  test('names no test that does not exist', () => {
    const missing = [...page.matchAll(REFERENCE)]
      .filter(([, file, title]) => !titlesIn(file).some((known) => known.test(title)))
      .map(([reference]) => reference)

    assert.deepEqual([...new Set(missing)], [])
  })

  test('names every file of acceptance tests', () => {
    for (const path of globSync('acceptance/*.test.ts', { cwd: HERE })) {
      assert.ok(page.includes(`\`${path.replace('.test.ts', '')} › `), path)
    }
  })
})

describe('SECURITY.md', () => {
  test('names no file of tests that does not exist', () => {
    const page = readFileSync(`${HERE}../SECURITY.md`, 'utf8')
    const named = [...page.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, file]) => file)

    const missing = named.filter((file) => !existsSync(/^(src|test)\//.test(file) ? `${HERE}../${file}` : HERE + file))

    assert.ok(named.length > 20)
    assert.deepEqual(missing, [])
  })
})

describe('Acceptance tests', () => {
  test('import nothing of what they test', () => {
    for (const path of globSync('acceptance/*.ts', { cwd: HERE })) {
      assert.doesNotMatch(readFileSync(HERE + path, 'utf8'), /from '(#|.*\/src\/)/, path)
    }
  })
})

const known = new Map<string, RegExp[]>()

/** Builds patterns of the titles of a file's tests. Template expressions match anything. */
function titlesIn(file: string): RegExp[] {
  const found =
    known.get(file) ??
    [...read(file).matchAll(/\b(?:test|once)\(\s*(['"`])(.+?)\1,/g)].map(([, , title]) => pattern(title))
  known.set(file, found)
  return found
}

function read(file: string): string {
  const [path] = globSync(`${file}.test.ts`, { cwd: HERE })
  return path === undefined ? '' : readFileSync(HERE + path, 'utf8')
}

function pattern(title: string): RegExp {
  return new RegExp(
    `^${title
      .split(/\$\{[^}]*\}/)
      .map(RegExp.escape)
      .join('.*')}$`,
  )
}
