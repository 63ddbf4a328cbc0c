import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

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
    await assert.rejects(fetch(`${url}/healthz`))
  })
})
