import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventually } from '../support/becomes.ts'
import { describePlaces } from '../support/publication-places.ts'
import { sendText } from '../support/send-bytes.ts'
import { storedFiles } from '../support/stored-files.ts'
import { pdfOfSize, uploadRequests } from '../support/upload-requests.ts'

/** Larger than one part of an S3 upload, so that some is stored when the connection breaks. */
const FILE = pdfOfSize(12_000_000)
/** Stored with the same ticket afterwards. */
const SMALL = pdfOfSize(50)
/** Part of a file that is refused. */
const PIECE = Buffer.alloc(65_536, '<html>')

describePlaces('An interrupted upload', { MAX_UPLOAD_BYTES: '30000000' }, async ({ service }) => {
  const { ticket, put } = uploadRequests(service)
  const { documents, drafts } = storedFiles(service)

  function open(uploadUrl: string, headers: string): Socket {
    const { hostname, port } = new URL(uploadUrl)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(head(uploadUrl, headers))
    return socket
  }

  for (const [how, breakOff] of [
    ['is reset', (socket: Socket) => socket.resetAndDestroy()],
    ['is closed', (socket: Socket) => socket.destroy()],
  ] as const) {
    test(`leaves nothing behind and a valid ticket if the connection ${how}`, async () => {
      const { uploadUrl } = await ticket()
      const before = await documents()
      const socket = open(uploadUrl, `Content-Length: ${FILE.length}`)

      socket.write(FILE.subarray(0, 9_000_000))
      await eventually('the server has taken the bytes', () => socket.writableLength === 0)
      breakOff(socket)
      await once(socket, 'close')

      // Large, so that the server has removed what arrived before.
      assert.equal((await put(uploadUrl, FILE)).status, 200)
      assert.equal((await documents()).length, before.length + 1)
      assert.equal(await drafts(), 0)
    })
  }

  test('leaves nothing behind and a valid ticket if it is longer than its Content-Length', async () => {
    const { uploadUrl } = await ticket()
    const before = await documents()
    const socket = open(uploadUrl, 'Content-Length: 3000')

    socket.end(FILE.subarray(0, 4000))
    const answer = Buffer.concat(await socket.toArray()).toString()

    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.equal((await put(uploadUrl, SMALL)).status, 200)
    assert.equal((await documents()).length, before.length + 1)
  })

  test('answers 400 to a client that ends early, and the ticket stays valid', async () => {
    const { uploadUrl } = await ticket()
    const before = await documents()
    const socket = open(uploadUrl, `Content-Length: ${FILE.length}`)

    socket.end(FILE.subarray(0, 3000))
    const answer = Buffer.concat(await socket.toArray()).toString()

    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /"code":"BAD_REQUEST"/)
    assert.deepEqual(await documents(), before)
    assert.equal((await put(uploadUrl, SMALL)).status, 200)
  })

  test('answers 400 to malformed chunks, and the ticket stays valid', async () => {
    const { uploadUrl } = await ticket()
    const body = '9\r\n%PDF-1.7\n\r\nthis is no length\r\n'

    const answer = await sendText(uploadUrl, head(uploadUrl, 'Transfer-Encoding: chunked') + body)

    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.equal((await put(uploadUrl, SMALL)).status, 200)
    assert.equal(await drafts(), 0)
  })

  test('lets the client read a refusal that is sent before the whole body has arrived', async () => {
    const { uploadUrl } = await ticket()
    const socket = open(uploadUrl, `Content-Length: ${FILE.length}`)

    // The rest is never sent.
    socket.write(Buffer.alloc(2000, '<html>'))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()

    assert.match(answer.toString(), /^HTTP\/1\.1 422 /)
  })

  test('closes the connection of a client that keeps sending a refused body', async () => {
    const { uploadUrl } = await ticket()
    const socket = open(uploadUrl, `Connection: close\r\nContent-Length: ${FILE.length}`)

    let answer = ''
    socket.on('data', (piece) => {
      answer += piece
    })
    socket.on('error', () => {})
    // In pieces: the error of a large write would hide the answer that had arrived before.
    for (let sent = 0; sent < FILE.length && !socket.destroyed; sent += PIECE.length) {
      socket.write(PIECE.subarray(0, FILE.length - sent))
      await nextTurn()
    }
    // A piece that is written as the server closes fails, and the answer is there nevertheless.
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))

    assert.match(answer, /^HTTP\/1\.1 422 /)
  })
})

function head(uploadUrl: string, headers: string): string {
  const { pathname, search, host } = new URL(uploadUrl)
  return `PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/pdf\r\n${headers}\r\n\r\n`
}
