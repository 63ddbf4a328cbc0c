import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createImageCache } from './get-page-image.ts'

const image = (bytes: number) => ({ bytes: Buffer.alloc(bytes) })

describe('createImageCache', () => {
  test('keeps the most recently used images within its bytes', () => {
    const images = createImageCache(50_000)
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) images.set(key, image(5_000))
    images.get('b')
    images.set('j', image(5_000))

    const kept = [...'abcdefghij'].filter((key) => images.get(key) !== undefined)

    assert.deepEqual(kept, ['b', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
  })

  test('does not keep an image that would displace many others', () => {
    const images = createImageCache(50_000)

    images.set('large', image(10_000))

    assert.equal(images.get('large'), undefined)
  })

  test('counts a replaced image once', () => {
    const images = createImageCache(50_000)
    for (let i = 0; i < 100; i++) images.set('same', image(5_000))
    images.set('other', image(5_000))

    assert.ok(images.get('same') !== undefined && images.get('other') !== undefined)
  })
})
