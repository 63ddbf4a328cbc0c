import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const RUN = fileURLToPath(new URL('../.ci/run', import.meta.url))
const mayMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0

/** Prints what a run of the tests would find. */
const NPM = `#!/bin/sh
echo "$@" in "$PWD"
ls -A ~ | sed 's/^/home: /'
ls -d /tmp/ci-run-*
cat ~/.npmrc "$NODE_EXTRA_CA_CERTS"
exit 3
`

describe('.ci/run', { skip: process.platform === 'win32' && 'it is for bash' }, () => {
  test('hides what was left in home and in /tmp', { skip: !mayMount && 'mounting is not permitted' }, (t) => {
    const { clone, folder, run } = makeClone(t)

    const { stdout } = run()

    assert.equal(
      stdout,
      [`test in ${clone}`, 'home: .npmrc', 'home: certificates.pem', folder, 'an npmrc', 'certificates', ''].join('\n'),
    )
  })

  test('goes on with both as they are where that is not permitted, and says so', (t) => {
    const { clone, run } = makeClone(t)
    writeFileSync(join(clone, 'bin', 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })

    const { stdout, stderr } = run()

    assert.match(stderr, /home and \/tmp stay as they are/)
    assert.match(stdout, /^home: left$/m)
  })

  test('ends with the exit status of the tests', (t) => {
    const { run } = makeClone(t)

    assert.equal(run().status, 3)
  })
})

/** Makes a clone and a home below /tmp, where both have to stay in sight. */
function makeClone(t: TestContext) {
  const folder = mkdtempSync('/tmp/ci-run-')
  const left = mkdtempSync('/tmp/ci-run-left-')
  t.after(() => {
    for (const path of [folder, left]) rmSync(path, { recursive: true })
  })
  const clone = join(folder, 'clone')
  const home = join(folder, 'home')
  mkdirSync(join(clone, 'bin'), { recursive: true })
  mkdirSync(home)
  cpSync(RUN, join(clone, '.ci', 'run'))
  writeFileSync(join(clone, 'bin', 'npm'), NPM, { mode: 0o755 })
  writeFileSync(join(home, '.npmrc'), 'an npmrc\n')
  writeFileSync(join(home, 'certificates.pem'), 'certificates\n')
  writeFileSync(join(home, 'left'), '')
  const env = {
    HOME: home,
    PATH: [join(clone, 'bin'), process.env.PATH].join(delimiter),
    NODE_EXTRA_CA_CERTS: join(home, 'certificates.pem'),
  }
  return {
    clone,
    folder,
    run: () => spawnSync('bash', [join(clone, '.ci', 'run')], { env, encoding: 'utf8' }),
  }
}
