import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { runProgram } from '../support/run-program.ts'
import { startProcess } from '../support/start-process.ts'
import { publisher } from './start-publishing.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe('npm start', { skip: process.platform === 'win32' && 'there are no signals on Windows' }, () => {
  test('stops the server and exits with status 0 when only npm gets the signal', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'npm-start-'))
    t.after(() => rmSync(dataDir, { recursive: true, force: true }))
    const npm = spawn('npm', ['start'], {
      cwd: ROOT,
      env: { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const exited = once(npm, 'exit')
    let printed = ''
    for await (const text of npm.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      printed += text
      if (printed.includes('App token')) break
    }
    const url = /running at (\S+)/.exec(printed)![1]
    assert.equal((await fetch(`${url}/healthz`)).status, 200)

    npm.kill('SIGTERM')

    assert.deepEqual(await exited, [0, null])
    await assert.rejects(fetch(`${url}/healthz`), { message: 'fetch failed' })
  })
})

describe('the built server', async () => {
  const build = `dist/server-test-${process.pid}`
  const dataDir = mkdtempSync(join(tmpdir(), 'built-server-'))
  after(() => {
    rmSync(join(ROOT, build), { recursive: true, force: true })
    rmSync(dataDir, { recursive: true, force: true })
  })
  const built = await runProgram('scripts/build-server.ts', {}, [build])

  test('serves with its threads and all of its files, and stops', async (t) => {
    assert.equal(built.exitCode, 0, built.stderr)
    const server = await startProcess({ DATA_DIR: dataDir }, [], { program: `${build}/main.js` })
    t.after(() => server.stop('SIGKILL'))
    const statusOf = async (path: string) => (await fetch(server.url + path)).status
    const service = publisher(server.url, server.apiKey!)
    const { slug } = await publishPdf(service)
    await untilRendered(service, slug)

    assert.equal(await statusOf('/healthz'), 200)
    assert.equal(await statusOf('/docs/operating'), 200)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    const description = await (await fetch(`${server.url}/openapi.json`)).json()
    const { version } = (description as { info: { version: string } }).info
    const hash = readFileSync(join(ROOT, build, '.built'), 'utf8').slice(0, 12)
    assert.ok(metrics.includes(`\ntrackpress_info{version="${version}+${hash}"} 1\n`))
    assert.equal(await statusOf('/dashboard/'), 200)
    assert.match(await (await fetch(`${server.url}/p/${slug}`)).text(), /reader\.[0-9a-f]{12}\.js/)
    assert.equal(await server.stop(), 0)
    // Whether an answer takes long is up to the machine.
    const complaints = server.output().stderr.split('\n')
    assert.deepEqual(
      complaints.filter((line) => !/"msg":"(the thread that answers requests stalled|slow answer)"/.test(line)),
      [''],
    )
  })

  test('has the lines of its sources, also in stack traces', async () => {
    const linesOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n')
    const [source, code, bundled] = ['src/server.ts', `${build}/server.js`, `${build}/chunks/server.js`].map((file) =>
      linesOf(file),
    )
    const starts = (line: string) => /^(export )?async function startServer\(/.test(line)

    // One other character would double the memory that the code takes.
    assert.doesNotMatch(bundled.join('\n'), /\P{ASCII}/u)
    assert.equal(code.findIndex(starts), source.findIndex(starts))
    assert.equal(code.length, source.length)
    const addressOf = (file: string) => pathToFileURL(join(ROOT, build, file)).href
    const { originalStack } = await import(addressOf('platform/basics/logger.js'))
    assert.equal(
      originalStack(`at startServer (${addressOf('chunks/server.js')}:${bundled.findIndex(starts) + 1}:1)`),
      `at startServer (${addressOf('server.js')}:${source.findIndex(starts) + 1}:1)`,
    )
  })

  test('refuses to run when its sources have changed, and says how to build it', async () => {
    writeFileSync(join(ROOT, build, '.built'), 'the hash of other sources')

    for (const program of ['main', 'admin']) {
      const { exitCode, stderr } = await runProgram(`${build}/${program}.js`, { DATA_DIR: dataDir, PORT: '0' })
      assert.equal(exitCode, 1)
      assert.match(stderr, /older than its sources.*node scripts\/build-server\.ts/)
    }
  })
})
