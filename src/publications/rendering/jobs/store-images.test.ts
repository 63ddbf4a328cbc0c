import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BlobExistsError, type BlobStore } from '#platform/blobs/blob-store.ts'
import { storeImages } from './store-images.ts'

const page = { width: 60, height: 80, data: new Uint8Array(60 * 80 * 3).fill(200), edgesPerRow: 0 }

/** A store that keeps the order of what happens to its blobs; `during` is called with each key before it is stored. */
function recordingStore(during: (key: string) => Promise<void> | void = () => {}) {
  const events: string[] = []
  const blobs = {
    async draft() {
      return {
        async commit(key: string) {
          events.push(`begin ${key}`)
          await during(key)
          events.push(`stored ${key}`)
        },
        [Symbol.asyncDispose]: async () => {},
      }
    },
    head: async () => ({ size: 42 }),
  }
  return { blobs: blobs as unknown as BlobStore, events }
}

describe('storeImages', () => {
  test('stores every image, the JPEG before the WebP of the page', async () => {
    const { blobs, events } = recordingStore()

    const sizes = await storeImages(blobs, 'v', 3, page, ['1200.jpg', '600.jpg', '1200.webp', '600.webp'])

    assert.deepEqual(Object.keys(sizes), ['1200.jpg', '600.jpg', '1200.webp', '600.webp'])
    assert.ok(Object.values(sizes).every((bytes) => bytes > 0))
    assert.equal(events[0], 'begin images/v/3/1200.jpg')
    assert.ok(events.indexOf('stored images/v/3/1200.jpg') < events.indexOf('stored images/v/3/1200.webp'))
  })

  test('encodes the next image while one is being stored', async () => {
    const { promise: webpBegun, resolve } = Promise.withResolvers<void>()
    const { blobs, events } = recordingStore((key) => (key.endsWith('.jpg') ? webpBegun : resolve()))

    await storeImages(blobs, 'v', 1, page, ['1200.jpg', '1200.webp'])

    assert.deepEqual(events.slice(0, 2), ['begin images/v/1/1200.jpg', 'begin images/v/1/1200.webp'])
  })

  test('makes no further image once it is stopped, and lets none be stored after it has ended', async () => {
    const stop = new AbortController()
    const { blobs, events } = recordingStore(() => stop.abort(new Error('stopped')))

    const storing = storeImages(blobs, 'v', 1, page, ['1200.jpg', '1200.webp', '600.webp'], stop.signal)

    await assert.rejects(storing, /stopped/)
    const atEnd = events.length
    await new Promise(setImmediate)
    assert.equal(events.length, atEnd)
    assert.ok(events.includes('stored images/v/1/1200.jpg') && !events.includes('begin images/v/1/600.webp'))
  })

  test('keeps an image that exists, and rejects if one cannot be stored', async () => {
    const existing = recordingStore((key) => {
      throw new BlobExistsError(key)
    })
    const full = recordingStore(() => {
      throw new Error('the disk is full')
    })

    assert.deepEqual(await storeImages(existing.blobs, 'v', 1, page, ['1200.jpg']), { '1200.jpg': 42 })
    await assert.rejects(storeImages(full.blobs, 'v', 1, page, ['1200.jpg', '600.jpg']), /the disk is full/)
  })
})
