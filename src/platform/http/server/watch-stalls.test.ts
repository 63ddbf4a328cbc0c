import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { loggerOptions } from '../../logger.ts'
import { createHttpServer } from './create-http-server.ts'
import { createHttpMetrics } from './metrics.ts'
import { watchStalls } from './watch-stalls.ts'

/** The limit is lower than that of the program, so that the test does not compute for seconds. */
const LIMITS = { stallMs: 250, tickEveryMs: 10 }

/** Computes for so long in processor time, which on a busy machine takes longer. */
function compute(ms: number): void {
  const before = process.threadCpuUsage()
  let used = 0
  while (used < ms * 1000) {
    const { user, system } = process.threadCpuUsage(before)
    used = user + system
  }
}

async function startWatched(t: TestContext) {
  const lines: Record<string, unknown>[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const logger = pino(loggerOptions('warn'), destination)
  const metrics = createHttpMetrics()
  // The server has a watch of its own, whose second passes on a busy machine.
  const silent = { logger: pino({ level: 'silent' }), metrics: createHttpMetrics() }
  const app = await createHttpServer({ ...silent, trustedProxies: [], formats: {} })
  watchStalls(app, { logger, metrics, ...LIMITS })
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, async () => compute(300))
    scope.post('/parsed/:secret', async () => 'parsed')
  })
  app.get('/computed/:secret', async () => {
    compute(300)
    return 'computed'
  })
  app.get('/quick', async () => 'quick')
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(() => app.close())
  // The first request of a process loads the client.
  await (await fetch(`${url}/quick`)).text()
  await wait(LIMITS.tickEveryMs)
  lines.length = 0
  // On a busy machine, the process may also wait for the processor, without using it.
  const computed = () => lines.filter(({ processorMs }) => Number(processorMs) >= LIMITS.stallMs)
  return { url, computed, stalls: async () => await metrics.registry.getSingleMetricAsString('http_stalls_total') }
}

describe('a stall of the thread', () => {
  test('is logged and counted with the route of the request that computed, and not of those that waited', async (t) => {
    const { url, computed, stalls } = await startWatched(t)

    const slow = fetch(`${url}/computed/a-secret`)
    await wait(1)
    await Promise.all([slow, fetch(`${url}/quick`), fetch(`${url}/quick`)])
    await wait(5 * LIMITS.tickEveryMs)

    assert.deepEqual(
      computed().map(({ route, level }) => [route, level]),
      [['/computed/:secret', 40]],
    )
    assert.ok(Number(computed()[0].stalledMs) >= LIMITS.stallMs)
    assert.match(await stalls(), /http_stalls_total\{route="\/computed\/:secret"\} 1/)
    assert.doesNotMatch(JSON.stringify(computed()), /a-secret/)
  })

  test('has the route of a request whose body is parsed, however long it was on its way', async (t) => {
    const { url, computed } = await startWatched(t)
    const late = async function* () {
      yield Buffer.from('a')
      await wait(10 * LIMITS.tickEveryMs)
      yield Buffer.from('b')
    }

    await fetch(`${url}/parsed/a-secret`, { method: 'POST', body: ReadableStream.from(late()), duplex: 'half' })
    await wait(5 * LIMITS.tickEveryMs)

    assert.deepEqual(
      computed().map(({ route }) => route),
      ['/parsed/:secret'],
    )
  })

  test('has no route if nothing was requested', async (t) => {
    const { computed } = await startWatched(t)

    compute(300)
    await wait(5 * LIMITS.tickEveryMs)

    assert.deepEqual(
      computed().map(({ route }) => route),
      ['none'],
    )
  })
})
