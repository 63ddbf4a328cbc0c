import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { uploadFile } from './upload-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'upload-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'file.pdf')
const SIZE = 5_000_000
writeFileSync(path, Buffer.alloc(SIZE, '%PDF'))

async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0)
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}/uploads/1`
}

test('sends the file unchanged, and reports every byte sent', async (t) => {
  let received = 0
  let head = ''
  const url = await listen(t, async (request, response) => {
    head = `${request.method} ${request.headers['content-type']} ${request.headers['content-length']}`
    for await (const chunk of request) received += chunk.length
    response.end('{}')
  })
  let told = 0

  await uploadFile(url, { path, size: SIZE }, (bytes) => {
    told += bytes
  })

  assert.equal(head, `PUT application/pdf ${SIZE}`)
  assert.deepEqual([received, told], [SIZE, SIZE])
})

test('reports the reason of a server that refuses before it has read everything', async (t) => {
  const url = await listen(t, (request, response) => {
    request.once('data', () => {
      response.writeHead(413, { 'Content-Type': 'application/problem+json', Connection: 'close' })
      response.end('{"code":"PAYLOAD_TOO_LARGE","detail":"Too large."}')
    })
    request.resume()
  })

  await assert.rejects(
    uploadFile(url, { path, size: SIZE }, () => {}),
    { name: 'RefusedError', status: 413, code: 'PAYLOAD_TOO_LARGE', reason: 'Too large.' },
  )
})

test('reports a broken connection', async (t) => {
  const url = await listen(t, (request) => request.once('data', () => request.socket.destroy()))

  await assert.rejects(
    uploadFile(url, { path, size: SIZE }, () => {}),
    { name: 'UnreachableError', message: /^Lost the connection/ },
  )
})

test('reports a file that was truncated or deleted meanwhile', async (t) => {
  const url = await listen(t, (request) => request.resume())

  for (const file of [
    { path, size: SIZE + 1 },
    { path: join(folder, 'none.pdf'), size: 1 },
  ])
    await assert.rejects(
      uploadFile(url, file, () => {}),
      { name: 'PublishError', message: /^The file cannot be read completely/ },
    )
})

test('stops on its signal', async (t) => {
  const stop = new AbortController()
  const url = await listen(t, (request) => request.once('data', () => stop.abort()))

  await assert.rejects(
    uploadFile(url, { path, size: SIZE }, () => {}, stop.signal),
    { name: 'AbortError' },
  )
})
