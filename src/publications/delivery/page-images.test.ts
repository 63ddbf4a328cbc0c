import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { PagesStore, StoredPage } from '../model/pages-store.ts'
import type { VersionChanges } from '../model/versions.ts'
import { acceptsJpeg, acceptsWebp, PageWaits } from './page-images.ts'

describe('PageWaits', () => {
  test('ends with the page once it is stored, and looks once for all who wait', async () => {
    const { waits, wait, store, queries } = arrange()

    const pages = [wait(1), wait(2), wait(1)]
    await turn()
    const before = queries.length
    store(1)
    store(2)
    const found = await Promise.all(pages)

    assert.deepEqual(
      found.map((row) => row?.page),
      [1, 2, 1],
    )
    assert.deepEqual([before, queries.length], [2, 4])
    assert.equal(waits.count, 0)
  })

  test('keeps no place for those who have left, and stops watching', async () => {
    const { waits, wait, watching } = arrange()
    const leaving = new AbortController()

    const left = Array.from({ length: 500 }, () => wait(1, leaving.signal))
    const refused = await wait(1, new AbortController().signal)
    const whileWaiting = [waits.count, watching()]
    leaving.abort()
    await Promise.all(left)

    assert.equal(refused, undefined)
    assert.deepEqual(
      [whileWaiting, [waits.count, watching()]],
      [
        [500, 1],
        [0, 0],
      ],
    )
  })

  test('ends all when the version is gone, and when the server stops', async () => {
    const { waits, wait, remove } = arrange()

    const first = wait(1)
    remove()
    const second = wait(1)
    waits.close()

    assert.deepEqual(await Promise.all([first, second, wait(1)]), [undefined, undefined, undefined])
  })
})

function arrange() {
  const stored = new Set<number>()
  const queries: number[][] = []
  const watchers = new Set<(progress: object | undefined) => void>()
  const pages = {
    async find(_versionId: string, wanted: readonly number[]) {
      queries.push([...wanted])
      return wanted.filter((page) => stored.has(page)).map((page) => ({ page }) as StoredPage)
    },
  }
  const changes = {
    watch(_versionId: string, changed: unknown) {
      const watcher = changed as (progress: object | undefined) => void
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
  const waits = new PageWaits(pages as unknown as PagesStore, changes as unknown as VersionChanges)
  const tell = (progress: object | undefined) => {
    for (const watcher of watchers) watcher(progress)
  }
  return {
    waits,
    queries,
    wait: (page: number, signal = new AbortController().signal) => waits.wait('version', page, { caller: 'a', signal }),
    watching: () => watchers.size,
    store(page: number) {
      stored.add(page)
      tell({})
    },
    remove: () => tell(undefined),
  }
}

const cases: [accept: string | undefined, expected: boolean, why: string][] = [
  [undefined, false, 'nothing is said'],
  ['', false, 'nothing is accepted'],
  ['*/*', false, 'anything is accepted'],
  ['image/*', false, 'any image is accepted'],
  ['image/webp', true, 'it is named'],
  ['IMAGE/WebP', true, 'it is named in other letters'],
  ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', true, 'a browser of today asks'],
  ['image/jpeg,image/webp;q=0.5', false, 'JPEG is liked better'],
  ['image/webp;q=0.5, image/jpeg;q=0.5', true, 'both are liked as much and it is named first'],
  ['image/jpeg;q=0.5, image/webp;q=0.5', false, 'both are liked as much and JPEG is named first'],
  ['image/*;q=0.9, image/webp;q=0.8', false, 'any other image is liked better'],
  ['image/webp;q=0, */*', false, 'it is ruled out'],
  ['image/webp ; q = 0.3', true, 'it is named with spaces'],
  ['image/webp;q=high', false, 'its quality cannot be read'],
  ['image/webp-next', false, 'another type begins like it'],
]

describe('acceptsWebp', () => {
  for (const [accept, expected, why] of cases) {
    test(`is ${expected} where ${why}`, () => {
      assert.equal(acceptsWebp(accept), expected)
    })
  }
})

describe('acceptsJpeg', () => {
  for (const [accept, expected] of [
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', true],
    ['image/webp, image/jpeg;q=0.5', true],
    ['image/webp', false],
    ['image/webp, image/jpeg;q=0', false],
    ['image/jpeg', false],
    ['*/*', false],
  ] as const) {
    test(`is ${expected} for ${accept}`, () => {
      assert.equal(acceptsJpeg(accept), expected)
    })
  }
})
