import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { webIsBuilt } from '../../scripts/web-sources.mjs'

const built = new URL('../../dist/dashboard/', import.meta.url)

/** Everything that loads before the first page is shown. Code of single pages loads with those pages. */
const FIRST_LOAD_BYTES = 350_000

describe('the dashboard on a slow network', () => {
  const page = readFileSync(new URL('index.html', built), 'utf8')
  const loaded = [...page.matchAll(/(?:src|href)="\/dashboard\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path)

  test('loads little at first', () => {
    const sizes = loaded.map((path) => gzipSync(readFileSync(new URL(path, built))).length)

    const total = sizes.reduce((sum, size) => sum + size, gzipSync(page).length)
    assert.ok(loaded.length > 2)
    assert.ok(total < FIRST_LOAD_BYTES, `${total} bytes`)
  })

  test('loads the map library only on pages with a map', () => {
    const scripts = loaded.filter((path) => path.endsWith('.js'))

    const withMap = scripts.filter((path) => readFileSync(new URL(path, built), 'utf8').includes('maplibregl-canvas'))

    assert.ok(scripts.length > 1)
    assert.deepEqual(withMap, [])
  })
})

test('the build of the pages marks its sources, so that no command builds them again', () => {
  assert.ok(webIsBuilt())
})
