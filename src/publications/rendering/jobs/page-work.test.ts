import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PageImage } from '../pages/draw-page.ts'
import { MAX_ENCODING, renderFurther } from './page-work.ts'
import type { RenderWorkDeps } from './render-work-deps.ts'

type PageOptions = { onPage(result: object): Promise<void>; hasRoom(): boolean }

/** The options that pages are rendered with, for a store that never finishes. */
function furtherPages(): PageOptions {
  let options: PageOptions | undefined
  const deps = {
    blobs: { draft: () => new Promise(() => {}) },
    budget: { hasRoom: () => true, during: (_: number, work: () => unknown) => work() },
    renderer: { renderPages: (_path: string, _pages: unknown, given: PageOptions) => (options = given) },
  }
  renderFurther(
    deps as unknown as RenderWorkDeps,
    { versionId: 'v', path: 'f' },
    new Map(pageNumbers().map((n) => [n, {}])),
  )
  return options!
}

const pageNumbers = () => Array.from({ length: MAX_ENCODING }, (_, at) => at + 1)
const image: PageImage = { width: 1, height: 1, data: new Uint8Array(3), edgesPerRow: 0 }

describe('renderFurther', () => {
  test('encodes three pages at once, or one for every two cores', () => {
    const { onPage, hasRoom } = furtherPages()

    const rooms = pageNumbers().map((page) => {
      const before = hasRoom()
      void onPage({ page, image, free() {} })
      return before
    })

    assert.ok(MAX_ENCODING >= 3)
    assert.deepEqual(rooms, Array(MAX_ENCODING).fill(true))
    assert.equal(hasRoom(), false)
  })
})
