import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

const LIMIT = 100

/** A server that accepts connections, and looks often. It writes its log and, at the end of its input, its metrics. */
const PROGRAM = `
  import { createServer } from 'node:net'
  import { createLogger } from '${new URL('../../logger.ts', import.meta.url)}'
  import { createHttpMetrics } from '${new URL('./metrics.ts', import.meta.url)}'
  import { watchOpenFiles } from '${new URL('./watch-open-files.ts', import.meta.url)}'
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
