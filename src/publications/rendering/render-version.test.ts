import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PageImage } from './pages/render-page.ts'
import { GroupWriter, MAX_ENCODING, renderFurther } from './render-version.ts'
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

describe('GroupWriter', () => {
  test('writes the first at once and what comes meanwhile together', async () => {
    const groups: number[][] = []
    let writing = 0
    const writer = new GroupWriter<number>(async (items) => {
      assert.equal(++writing, 1)
      groups.push(items)
      await new Promise(setImmediate)
      writing--
    })

    const first = writer.add(1)
    await Promise.resolve().then(() => {})
    await Promise.all([first, writer.add(2), writer.add(3)])
    await writer.add(4)

    assert.deepEqual(groups, [[1], [2, 3], [4]])
  })

  test('fails those of a group that could not be written, and goes on', async () => {
    const writer = new GroupWriter<string>(async (items) => {
      if (items.includes('bad')) throw new Error('refused')
    })

    const [bad, with_, later] = await Promise.allSettled([
      writer.add('bad'),
      writer.add('in the same group'),
      new Promise(setImmediate).then(() => writer.add('good')),
    ])

    assert.deepEqual([bad.status, with_.status, later.status], ['rejected', 'rejected', 'fulfilled'])
  })
})
