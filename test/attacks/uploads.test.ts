import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { type ClientRequest, request as sendRequest } from 'node:http'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { held, sizes, startTarget } from '../support/attack.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { askForTicket } from '../support/publish.ts'

const SIZE = sizes({ uploads: 30, tickets: 80 }, { uploads: 1_000, tickets: 500 })
const PDF = numberedPages(1)
/** Uploads of one address at once. Further ones are refused before their ticket is looked up. */
const OF_ONE_ADDRESS = 32
/** Time in which an upload that should have room would be refused. */
const SETTLED_MS = 200

describe('attacks with upload tickets', async () => {
  const target = await startTarget({ after })
  const service = { url: target.url, request: target.publish }

  /** Begins an upload that does not end. */
  function begin(uploadUrl: string): { sent: ClientRequest; status: Promise<number> } {
    const sent = sendRequest(uploadUrl, {
      method: 'PUT',
      agent: false,
      headers: { 'Content-Type': 'application/pdf', 'Content-Length': PDF.length },
    })
    const status = new Promise<number>((resolve) => {
      sent.on('response', (response) => {
        response.resume()
        resolve(response.statusCode!)
      })
      sent.on('error', () => resolve(0))
      sent.on('close', () => resolve(0))
    })
    sent.write(PDF.subarray(0, 100))
    return { sent, status }
  }

  /** Begins an upload, and waits until its file arrives: the server has given it the ticket. */
  async function beginArriving(uploadUrl: string): Promise<ReturnType<typeof begin>> {
    const drafts = () => globSync('blobs/.drafts/*', { cwd: target.installation.settings.DATA_DIR }).length
    while (drafts() > 0) await wait(20)
    const begun = begin(uploadUrl)
    while (drafts() === 0) await wait(20)
    return begun
  }

  test('many uploads with one ticket are refused while the first one arrives', async (t) => {
    const { uploadUrl } = await askForTicket(service)
    const first = await beginArriving(uploadUrl)
    const trickle = setInterval(() => first.sent.write(PDF.subarray(100, 101)), 100)

    const others = Array.from({ length: SIZE.uploads }, () => begin(uploadUrl))
    const statuses = await Promise.all(others.map(({ status }) => status))
    clearInterval(trickle)
    for (const { sent } of [first, ...others]) sent.destroy()

    const refusals = SIZE.uploads < OF_ONE_ADDRESS ? [409] : [409, 429]
    assert.deepEqual(
      statuses.filter((status) => !refusals.includes(status)),
      [],
    )
    assert.ok(statuses.includes(409), 'none was refused for its ticket')
    held(t, { uploads: [statuses.length, ''] })
  })

  test('an upload whose connection fell silent gives way to the next one with its ticket', async () => {
    const { uploadUrl } = await askForTicket(service)
    const first = await beginArriving(uploadUrl)

    const headers = { 'Content-Type': 'application/pdf' }
    const second = await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(PDF) })

    assert.equal(second.status, 200, await second.text())
    assert.equal(await first.status, 0)
  })

  test('uploads that do not end leave room for others beyond those of one address', async (t) => {
    const tickets = await Promise.all(Array.from({ length: SIZE.tickets }, () => askForTicket(service)))
    const uploads = tickets.map(({ uploadUrl }) => begin(uploadUrl))
    const refused = uploads.map(({ status }) => status.then((code) => (code === 429 ? 1 : 0)))
    let answered = 0
    for (const one of refused) void one.then(() => answered++)
    while (answered < SIZE.tickets - OF_ONE_ADDRESS) await wait(20)
    await wait(SETTLED_MS)
    for (const { sent } of uploads) sent.destroy()

    const count = (await Promise.all(refused)).reduce<number>((sum, one) => sum + one, 0)
    assert.equal(count, SIZE.tickets - OF_ONE_ADDRESS)
    held(t, { tickets: [SIZE.tickets, ''], 'refused uploads': [count, ''] })
  })

  test('many writers of one upload by tus, some of them with wrong offsets, leave one whole file', async (t) => {
    const { uploadUrl, storageKey, pdfPath } = await askForTicket(service)
    const probe = await target.probe()
    const append = (offset: number | string, length: number | string, body: Buffer = PDF) =>
      fetch(uploadUrl, {
        method: 'PATCH',
        headers: {
          'Tus-Resumable': '1.0.0',
          'Content-Type': 'application/offset+octet-stream',
          'Upload-Offset': String(offset),
          'Upload-Length': String(length),
        },
        body: new Uint8Array(body),
      })

    const wrong = await Promise.all(
      [
        [-1, PDF.length],
        ['9'.repeat(30), PDF.length],
        [1e12, PDF.length],
        [0, -5],
        [0, '9'.repeat(30)],
        [0, 1e14],
        [7, PDF.length + 7],
      ].map(async ([offset, length]) => (await append(offset, length)).status),
    )
    const writers = Array.from({ length: SIZE.uploads }, (_, at) =>
      append(at % 3 === 2 ? at : 0, PDF.length + (at % 3 === 2 ? at : 0)),
    )
    const statuses = (await Promise.all(writers)).map(({ status }) => status)
    const state = await fetch(uploadUrl, { method: 'HEAD', headers: { 'Tus-Resumable': '1.0.0' } })
    const has = Number(state.headers.get('upload-offset'))
    if (has < PDF.length) assert.equal((await append(has, PDF.length, PDF.subarray(has))).status, 204)
    const made = await target.publish('POST', '/publications', {
      title: 'One whole file',
      sourceType: 'pdf',
      storageKey,
      pdfPath,
    })

    assert.deepEqual(wrong, [400, 400, 400, 400, 400, 413, 409])
    assert.deepEqual(
      statuses.filter((status) => ![204, 400, 409, 429].includes(status)),
      [],
    )
    assert.equal(made.status, 201, await made.text())
    const { points, health } = await probe.stop()
    assert.equal(points.failed + health.failed, 0)
    held(t, { writers: [statuses.length, ''], accepted: [statuses.filter((status) => status === 204).length, ''] })
  })
})
