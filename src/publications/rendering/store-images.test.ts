import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { BlobExistsError, type BlobStore } from '#platform/blobs/blob-store.ts'
import { storeImages } from './store-images.ts'

const page = { width: 60, height: 80, data: new Uint8Array(60 * 80 * 3).fill(200), edgesPerRow: 0 }

/** A store that keeps the order of what happens to its blobs; `during` is called with each key before it is stored. */
function recordingStore(during: (key: string) => Promise<void> | void = () => {}) {
  const events: string[] = []
  const stored = new Map<string, Buffer>()
  const blobs = {
    async draft(source: AsyncIterable<Uint8Array>) {
      const bytes = await buffer(source)
      return {
        async commit(key: string) {
          events.push(`begin ${key}`)
          await during(key)
          stored.set(key, bytes)
          events.push(`stored ${key}`)
        },
        [Symbol.asyncDispose]: async () => {},
      }
    },
    read: async (key: string) => stored.has(key) && Readable.from([stored.get(key)]),
  }
  return { blobs: blobs as unknown as BlobStore, events, stored }
}

const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('storeImages', () => {
  test('stores every image, the JPEG before the WebP of the page', async () => {
    const { blobs, events, stored } = recordingStore()

    const images = await storeImages(blobs, 'v', 3, page, ['1200.jpg', '600.jpg', '1200.webp', '600.webp'])

    assert.deepEqual(Object.keys(images), ['1200.jpg', '600.jpg', '1200.webp', '600.webp'])
    for (const [name, image] of Object.entries(images)) {
      const bytes = stored.get(`images/v/3/${name}`)!
      assert.deepEqual(image, { size: bytes.length, sha256: sumOf(bytes) })
    }
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

  test('keeps an image that exists, and says whether it is the same', async () => {
    const { blobs, stored } = recordingStore((key) => {
      if (stored.has(key)) throw new BlobExistsError(key)
    })
    const made = await storeImages(blobs, 'v', 1, page, ['1200.jpg'])
    const again = await storeImages(blobs, 'v', 1, page, ['1200.jpg'])
    const other = Buffer.from('of another version')
    stored.set('images/v/1/1200.jpg', other)

    assert.deepEqual(again, made)
    assert.deepEqual(await storeImages(blobs, 'v', 1, page, ['1200.jpg']), {
      '1200.jpg': { size: other.length, sha256: sumOf(other), isFound: true },
    })
  })

  test('rejects if an image cannot be stored', async () => {
    const full = recordingStore(() => {
      throw new Error('the disk is full')
    })

    await assert.rejects(storeImages(full.blobs, 'v', 1, page, ['1200.jpg', '600.jpg']), /the disk is full/)
  })
})
