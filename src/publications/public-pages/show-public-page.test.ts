import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { brotliDecompressSync, constants, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { createPageCache, ENCODINGS, packPage, pageEncoding } from './show-public-page.ts'

const page = (length: number) => ({ html: Buffer.alloc(length, 'x'), preload: '' })

describe('createPageCache', () => {
  test('drops the least recently used pages beyond its limit', () => {
    const pages = createPageCache(10)

    for (const name of ['a', 'b', 'c']) pages.set(name, page(3))
    pages.get('a')
    pages.set('d', page(4))

    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((name) => pages.get(name)?.html.length),
      [3, undefined, 3, 4],
    )
  })

  test('counts a page that is set again only once', () => {
    const pages = createPageCache(10)

    for (let times = 0; times < 5; times++) pages.set('a', page(6))
    pages.set('b', page(4))

    assert.ok(pages.get('a') !== undefined && pages.get('b') !== undefined)
  })

  test('does not keep a page larger than its limit', () => {
    const pages = createPageCache(10)

    pages.set('a', page(11))

    assert.equal(pages.get('a'), undefined)
  })
})

const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH, ZSTD_e_flush } = constants

/** Decompresses as much as there is, even if only the beginning. */
const unpack = {
  zstd: (bytes: Buffer) => zstdDecompressSync(bytes, { finishFlush: ZSTD_e_flush }),
  br: (bytes: Buffer) => brotliDecompressSync(bytes, { finishFlush: BROTLI_OPERATION_FLUSH }),
  gzip: (bytes: Buffer) => gunzipSync(bytes, { finishFlush: Z_SYNC_FLUSH }),
}

describe('packPage', () => {
  const first = '<html><section>The first page</section>'
  const html = `${first}${'<section>Étoile</section>'.repeat(100)}${randomBytes(200_000).toString('hex')}`

  for (const encoding of ENCODINGS)
    test(`compresses with ${encoding} so that the first bytes hold the first page`, async () => {
      const packed = await packPage(Buffer.from(html), encoding)

      assert.equal(unpack[encoding](packed).toString(), html)
      assert.match(unpack[encoding](packed.subarray(0, 200)).toString(), /The first page/)
    })

  test('compresses HTML without pages', async () => {
    assert.equal(unpack.br(await packPage(Buffer.from('<html>Nothing'), 'br')).toString(), '<html>Nothing')
  })
})

describe('pageEncoding', () => {
  test('returns the best encoding that the browser accepts', () => {
    assert.deepEqual(
      ['gzip, deflate, br, zstd', 'GZIP;q=0.5 , br;q=1', 'zstd;q=0, br;q=0.0, gzip', 'identity', '', undefined].map(
        pageEncoding,
      ),
      ['zstd', 'br', 'gzip', undefined, undefined, undefined],
    )
  })
})
