import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { StoredPage } from '../storage/pages-store.ts'
import { PageWaits } from './page-waits.ts'

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
  const waits = new PageWaits(
    {
      async find(_versionId, pages) {
        queries.push([...pages])
        return pages.filter((page) => stored.has(page)).map((page) => ({ page }) as StoredPage)
      },
    },
    {
      watch(_versionId, changed) {
        const watcher = changed as (progress: object | undefined) => void
        watchers.add(watcher)
        return () => watchers.delete(watcher)
      },
    },
  )
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
