import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ConnectionLimit } from './connection-limit.ts'
import { LimitExchange } from './limit-exchange.ts'
import { RateLimit } from './rate-limit.ts'
import { TICK_MS } from './shared-limit.ts'

const LIMIT = 100
const STEP_MS = 5
/** Time that a notice takes from one instance to all. */
const DELIVERY_MS = 15
const TOLERANCE = 0.1

/** Instances on one database, in a time of their own. */
function openInstances(count: number) {
  let nowMs = 1_000_000
  let isLive = true
  let notices = 0
  const underWay: { atMs: number; payload: string }[] = []
  const listeners = new Set<(payload: string | undefined) => void>()
  const bus = {
    async publish(_topic: string, payload: string) {
      notices++
      underWay.push({ atMs: nowMs + DELIVERY_MS, payload })
    },
    subscribe(_topic: string, listener: (payload: string | undefined) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isLive: () => isLive,
  }
  const instances = Array.from({ length: count }, () => {
    const exchange = new LimitExchange({ notices: bus, nowMs: () => nowMs })
    const shared = exchange.share('requests', LIMIT)
    const streams = new ConnectionLimit({ total: 10_000, perCaller: LIMIT })
    streams.share(exchange.share('streams', LIMIT))
    return { exchange, requests: new RateLimit(LIMIT, { nowMs: () => nowMs, shared }), streams }
  })

  /** Lets time pass; `each` runs at every step for every instance. */
  async function pass(durationMs: number, each: (instance: (typeof instances)[number], at: number) => void = () => {}) {
    for (const endMs = nowMs + durationMs; nowMs < endMs; nowMs += STEP_MS) {
      for (const [at, instance] of instances.entries()) {
        if ((nowMs + at * 60) % TICK_MS < STEP_MS) instance.exchange.tick()
        each(instance, at)
      }
      await nextTurn()
      while (underWay.length > 0 && underWay[0].atMs <= nowMs)
        for (const { payload } of underWay.splice(0, 1)) for (const listener of listeners) listener(payload)
    }
  }

  /** Sends requests to each instance at a rate, with the irregularity of real ones, and counts those allowed. */
  async function send(durationMs: number, perSecond: readonly number[], caller = 'phone'): Promise<number> {
    let allowed = 0
    const random = seeded(count)
    await pass(durationMs, ({ requests }, at) => {
      const expected = (perSecond[at] * STEP_MS) / 1000
      const arrivals = Math.floor(expected) + Number(random() < expected % 1)
      for (let request = 0; request < arrivals; request++) if (requests.take(caller).allowed) allowed++
    })
    return allowed
  }

  return { instances, pass, send, loseDatabase: () => (isLive = false), noticesSent: () => notices }
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

describe('a rate limit of several instances', () => {
  for (const [name, perSecond] of [
    ['one instance', [300]],
    ['one of three', [300, 0, 0]],
    ['two of two alike', [150, 150]],
    ['three unevenly', [140, 40, 20]],
    ['four unevenly', [20, 300, 60, 5]],
    ['four, one of them with hardly any', [110, 30, 20, 1]],
  ] as const) {
    test(`lets the limit through within 10 % when requests reach ${name}`, async () => {
      const { pass, send } = openInstances(perSecond.length)
      await pass(3_000)

      const allowed = await send(8_000, perSecond)

      const expected = LIMIT * 8
      assert.ok(Math.abs(allowed - expected) <= expected * TOLERANCE, `${allowed} instead of ${expected}`)
    })
  }

  test('follows a caller from one instance to another', async () => {
    const { pass, send } = openInstances(3)
    await pass(3_000)
    await send(4_000, [200, 0, 0])

    const allowed = await send(6_000, [0, 200, 0])

    assert.ok(Math.abs(allowed - 600) <= 60, String(allowed))
  })

  test('refuses hardly anything of a caller that stays below the limit', async () => {
    const { pass, send } = openInstances(3)
    await pass(3_000)

    const allowed = await send(6_000, [60, 15, 5])

    assert.ok(allowed >= 80 * 6 * 0.95, String(allowed))
  })

  test('sends no notice for callers that stay far below it', async () => {
    const { pass, send, noticesSent } = openInstances(3)
    await pass(3_000)
    const before = noticesSent()

    await send(4_000, [5, 5, 5])

    // Only the greetings: one in two seconds for each instance.
    assert.ok(noticesSent() - before <= 9, String(noticesSent() - before))
  })

  test('divides evenly while the database is away', async () => {
    const { pass, send, loseDatabase } = openInstances(2)
    await pass(3_000)
    loseDatabase()

    const allowed = await send(4_000, [200, 0])

    assert.ok(Math.abs(allowed - 200) <= 20, String(allowed))
  })

  test('gives the share of an instance that has ended to the others', async () => {
    const { instances, pass, send } = openInstances(2)
    await pass(3_000)
    await send(2_000, [100, 100])
    instances[1].exchange.close()
    await pass(100)

    const allowed = await send(4_000, [200, 0])

    assert.ok(Math.abs(allowed - 400) <= 40, String(allowed))
  })
})

describe('a limit of open streams of several instances', () => {
  test('counts those of all instances, and lets others in for those that end', async () => {
    const { pass } = openInstances(3)
    await pass(3_000)
    const releases: (() => void)[] = []
    const everySteps = [3, 7, 31]
    let step = 0
    const open = (durationMs: number) =>
      pass(durationMs, ({ streams }, at) => {
        if (step++ % everySteps[at] !== 0) return
        const release = streams.hold('stadium')
        if (release !== undefined) releases.push(release)
      })

    await open(4_000)
    const held = releases.length
    for (const release of releases.splice(0, 50)) release()
    await open(4_000)

    assert.ok(held >= LIMIT * 0.9 && held <= LIMIT * 1.1, String(held))
    assert.ok(releases.length >= LIMIT * 0.9 && releases.length <= LIMIT * 1.1, String(releases.length))
  })
})
