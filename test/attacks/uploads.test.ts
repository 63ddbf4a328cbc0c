import assert from 'node:assert/strict'
import { type ClientRequest, request as sendRequest } from 'node:http'
import { after, describe, test } from 'node:test'
import { held, sizes, startTarget } from '../support/attack.ts'
import { numberedPages } from '../support/make-pdf-examples.ts'
import { askForTicket } from '../support/publish.ts'

const SIZE = sizes({ uploads: 30, tickets: 80 }, { uploads: 1_000, tickets: 500 })
const PDF = numberedPages(1)
/** Uploads of one address at once. Further ones are refused before their ticket is looked up. */
const OF_ONE_ADDRESS = 32

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

  test('many uploads with one ticket are refused while the first one arrives', async (t) => {
    const { uploadUrl } = await askForTicket(service)
    const first = begin(uploadUrl)
    const trickle = setInterval(() => first.sent.write(PDF.subarray(100, 101)), 100)
    await new Promise((resolve) => setTimeout(resolve, 500))

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
    const first = begin(uploadUrl)
    await new Promise((resolve) => setTimeout(resolve, 500))

    const headers = { 'Content-Type': 'application/pdf' }
    const second = await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(PDF) })

    assert.equal(second.status, 200, await second.text())
    assert.equal(await first.status, 0)
  })

  test('uploads that do not end leave room for others beyond those of one address', async (t) => {
    const tickets = await Promise.all(Array.from({ length: SIZE.tickets }, () => askForTicket(service)))
    const uploads = tickets.map(({ uploadUrl }) => begin(uploadUrl))
    const refused = uploads.map(({ status }) => status.then((code) => (code === 429 ? 1 : 0)))
    const settled = await Promise.race([
      Promise.all(refused),
      new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 3_000)),
    ])
    for (const { sent } of uploads) sent.destroy()

    const count = (await Promise.all(refused)).reduce<number>((sum, one) => sum + one, 0)
    assert.equal(settled, undefined, 'some were not refused')
    assert.equal(count, SIZE.tickets - OF_ONE_ADDRESS)
    held(t, { tickets: [SIZE.tickets, ''], 'refused uploads': [count, ''] })
  })
})
