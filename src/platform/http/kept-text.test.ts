import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { sendKept } from './kept-text.ts'

const TEXT = 'é'.repeat(5000)

function openApp() {
  let built = 0
  const app = Fastify()
  app.get(
    '/',
    sendKept('text/plain; charset=utf-8', () => {
      built++
      return TEXT
    }),
  )
  const get = async (headers: Record<string, string> = {}) => await app.inject({ url: '/', headers })
  return { get, built: () => built }
}

describe('sendKept', () => {
  for (const [encoding, decompress] of Object.entries({
    zstd: zstdDecompressSync,
    br: brotliDecompressSync,
    gzip: gunzipSync,
  })) {
    test(`compresses with ${encoding} if the client accepts it`, async () => {
      const answer = await openApp().get({ 'accept-encoding': encoding })

      assert.equal(answer.headers['content-encoding'], encoding)
      assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
      assert.equal(answer.headers.vary, 'accept-encoding')
      assert.equal(decompress(answer.rawPayload).toString(), TEXT)
    })
  }

  test('sends the text itself to a client that accepts no encoding', async () => {
    const answer = await openApp().get()

    assert.equal(answer.headers['content-encoding'], undefined)
    assert.equal(answer.body, TEXT)
  })

  test('answers 304 to a client that has the text', async () => {
    const { get } = openApp()
    const etag = (await get({ 'accept-encoding': 'br' })).headers.etag as string

    const answer = await get({ 'if-none-match': etag })

    assert.equal(answer.statusCode, 304)
    assert.equal(answer.body, '')
  })

  test('builds the text once', async () => {
    const { get, built } = openApp()
    await Promise.all([get(), get({ 'accept-encoding': 'gzip' }), get({ 'accept-encoding': 'gzip' })])

    assert.equal(built(), 1)
  })
})
