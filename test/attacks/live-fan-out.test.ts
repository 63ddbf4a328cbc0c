import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { clientAddress, openFrom } from '../support/attack/request-from.ts'
import { held, sizes, startTarget } from '../support/attack.ts'
import { makePoints } from '../support/make-points.ts'

const SIZE = sizes({ spectators: 60, runners: 20, seconds: 5 }, { spectators: 600, runners: 200, seconds: 30 })
/** A runner's phone sends this often. */
const SEND_EVERY_MS = 1000
/**
 * One of so many spectators measures, and another one reads at most once a second.
 * Reading all would take this thread's time.
 */
const KIND_EVERY = 20

/** Notes the delay of each point by the time that the point itself carries. */
function measure(response: IncomingMessage, delaysMs: number[]): void {
  let rest = ''
  response.setEncoding('latin1').on('data', (text: string) => {
    const lines = `${rest}${text}`
    const end = lines.lastIndexOf('\n') + 1
    rest = lines.slice(end)
    const nowMs = Date.now()
    for (const [, times] of lines.slice(0, end).matchAll(/"time_ms":\[([\d,]+)\]/g)) {
      delaysMs.push(nowMs - Number(times.split(',').at(-1)))
    }
  })
}

function readSlowly(response: IncomingMessage): void {
  response.on('data', () => {
    response.pause()
    setTimeout(() => response.resume(), 1000).unref()
  })
}

describe('a live event', async () => {
  const target = await startTarget({ after })
  const { url, tracks } = target

  async function spectate(path: string, index: number, delaysMs: number[]): Promise<() => void> {
    const response = await openFrom(clientAddress(index % 200), `${url}${path}/live`)
    response.on('error', () => {})
    if (index % KIND_EVERY === 0) measure(response, delaysMs)
    else if (index % KIND_EVERY === 1) readSlowly(response)
    else response.resume()
    return () => response.destroy()
  }

  test('with many spectators reaches them soon, and costs its phones no answers', async (t) => {
    const share = await target.share()
    const ids: string[] = []
    for (let i = 0; i < SIZE.runners; i++) ids.push(await tracks.create())
    const delaysMs: number[] = []
    const leave: (() => void)[] = []
    for (let i = 0; i < SIZE.spectators; i++) leave.push(await spectate(share, i, delaysMs))
    await wait(3000)
    delaysMs.length = 0
    const probe = await target.probe()
    const before = target.usage()

    const endMs = performance.now() + SIZE.seconds * 1000
    const run = async (id: string, index: number) => {
      await wait((index / SIZE.runners) * SEND_EVERY_MS)
      while (performance.now() < endMs) {
        const sentMs = performance.now()
        await tracks.add(id, makePoints(1, Date.now()))
        await wait(Math.max(0, sentMs + SEND_EVERY_MS - performance.now()))
      }
    }
    await Promise.all(ids.map(run))

    const { points } = await probe.stop()
    const usage = target.usage()
    for (const end of leave) end()
    delaysMs.sort((a, b) => a - b)
    const at = (share: number) => delaysMs[Math.floor((delaysMs.length - 1) * share)]
    assert.equal(points.failed, 0)
    // Each point once, and not each spectator a computation of its own.
    const expected = (SIZE.spectators / KIND_EVERY) * SIZE.runners * SIZE.seconds
    assert.ok(delaysMs.length > expected / 10, `${delaysMs.length} of ${expected}`)
    held(t, {
      spectators: [SIZE.spectators, ''],
      runners: [SIZE.runners, ''],
      'delay at the median': [at(0.5), 'ms'],
      'delay at the 99th percentile': [at(0.99), 'ms'],
      'answer to a phone at the 99th percentile': [points.p99Ms, 'ms'],
      'main thread': [((usage?.mainThreadMs ?? 0) - (before?.mainThreadMs ?? 0)) / SIZE.seconds / 10, '%'],
      'longest wait of a phone': [points.longestMs, 'ms'],
    })
  })
})
