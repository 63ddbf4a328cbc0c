import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { loggerOptions } from '../basics/logger.ts'
import { createHttpServer } from './create-http-server.ts'
import { createHttpMetrics } from './http-metrics.ts'
import { watchStalls } from './watch-process.ts'

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

const LIMIT = 100

/** A server that accepts connections, and looks often. It writes its log and, at the end of its input, its metrics. */
const PROGRAM = `
  import { createServer } from 'node:net'
  import { createLogger } from '${new URL('../basics/logger.ts', import.meta.url)}'
  import { createHttpMetrics } from '${new URL('./http-metrics.ts', import.meta.url)}'
  import { watchOpenFiles } from '${new URL('./watch-process.ts', import.meta.url)}'
  const metrics = createHttpMetrics()
  watchOpenFiles({ addHook() {} }, { logger: createLogger('warn'), metrics, lookEveryMs: 20 })
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
  process.stdin.resume().once('end', async () => {
    console.log(await metrics.registry.getSingleMetricAsString('open_files_used_up_total'))
    process.exit()
  })
`

async function startLimited() {
  const args = ['--input-type=module', '--eval', PROGRAM]
  const child = spawn('sh', ['-c', `ulimit -n ${LIMIT}; exec "$0" "$@"`, process.execPath, ...args])
  const written = { out: '', log: '' }
  child.stdout.on('data', (data) => (written.out += data))
  child.stderr.on('data', (data) => (written.log += data))
  while (!written.out.includes('\n')) await wait(10)
  const lines = () =>
    written.log
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { child, written, lines, port: Number(written.out) }
}

test('a process that comes near its limit of open files says so, and once when none is left', {
  skip: process.platform !== 'linux' && 'only Linux tells the limit',
}, async (t) => {
  const { child, written, lines, port } = await startLimited()
  t.after(() => child.kill('SIGKILL'))
  const open = (count: number) => Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}))
  const isSaid = async (text: RegExp) => {
    while (!lines().some(({ msg }) => text.test(msg))) await wait(10)
  }

  const isWarned = () => lines().some(({ msg }) => /most of the files/.test(msg))
  const few = open(10)
  await wait(100)
  const whenFew = lines()
  while (!isWarned()) {
    few.push(...open(1))
    await wait(10)
  }
  const [{ open: openAtWarning }] = lines()
  const many = open(LIMIT)
  await isSaid(/no file or connection can be opened/)
  await wait(200)
  for (const socket of [...few, ...many]) socket.destroy()
  child.stdin.end()
  await once(child, 'close')

  assert.deepEqual(whenFew, [])
  assert.ok(openAtWarning >= 90 && openAtWarning < LIMIT, `${openAtWarning}`)
  assert.deepEqual(
    lines().map(({ level, limit }) => [level, limit]),
    [
      [40, LIMIT],
      [50, LIMIT],
    ],
  )
  assert.ok(Number(/^open_files_used_up_total (\d+)$/m.exec(written.out)?.[1]) > 1, written.out)
})
