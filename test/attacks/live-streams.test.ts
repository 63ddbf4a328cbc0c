import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, describe, test } from 'node:test'
import { clientAddress, openFrom } from '../support/attack/request-from.ts'
import { held, sizes, startTarget } from '../support/attack.ts'

const SIZE = sizes({ total: 60, perAddress: 10, addresses: 8 }, { total: 5000, perAddress: 200, addresses: 26 })

describe('live streams', async () => {
  const target = await startTarget({ after }, undefined, {
    LIVE_STREAMS: String(SIZE.total),
    LIVE_STREAMS_PER_ADDRESS: String(SIZE.perAddress),
  })
  const { url } = target
  const open: IncomingMessage[] = []
  after(() => {
    for (const response of open) response.destroy()
  })

  /** Opens as many streams of a share as the address may, and one more. @returns the number of each status */
  async function takeAll(path: string, address: string | undefined): Promise<Map<number, number>> {
    const statuses = new Map<number, number>()
    for (let i = 0; i <= SIZE.perAddress; i++) {
      const response = await openFrom(address, `${url}${path}/live`)
      response.on('error', () => {}).resume()
      if (response.statusCode === 200) open.push(response)
      statuses.set(response.statusCode!, (statuses.get(response.statusCode!) ?? 0) + 1)
    }
    return statuses
  }

  test('of one share leave half of the streams to other shares, and all of their own to operators', async (t) => {
    const { events } = (await (await target.operator.request('GET', '/operator/events')).json()) as {
      events: { id: string }[]
    }
    const [attacked, other] = [await target.share(), await target.share()]
    const probe = await target.probe()

    const taken: Map<number, number>[] = []
    for (let i = 0; i < SIZE.addresses; i++) taken.push(await takeAll(attacked, clientAddress(i)))
    const ofOther = await openFrom(clientAddress(SIZE.addresses), `${url}${other}/live`)
    open.push(ofOther)
    const ofOperator = await target.operator.request('GET', `/operator/events/${events[0].id}/live`)
    await ofOperator.body?.cancel()

    const { points } = await probe.stop()
    const sum = (status: number) => taken.reduce((all, statuses) => all + (statuses.get(status) ?? 0), 0)
    assert.equal(sum(200), SIZE.total / 2)
    assert.equal(taken[0].get(429), 1)
    assert.ok(sum(503) > 0)
    assert.deepEqual([ofOther.statusCode, ofOperator.status], [200, 200])
    assert.equal(points.failed, 0)
    held(t, {
      'streams asked for': [SIZE.addresses * (SIZE.perAddress + 1), ''],
      open: [sum(200), ''],
      'streams refused to another share': [0, ''],
      'streams refused to the operator': [0, ''],
      'longest wait of a phone': [points.longestMs, 'ms'],
    })
  })
})
