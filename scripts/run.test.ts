import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BUILT_MARK, hashOfServerSources } from '../src/platform/basics/build.ts'

const SCRIPTS = fileURLToPath(new URL('.', import.meta.url))
const CHECK = join(SCRIPTS, '..', 'src', 'platform', 'basics', 'build.ts')
/** The name differs from platform to platform. */
const PACKAGE = /\bnode[\w-]*@/

/**
 * npm without a registry. It notes what it is to do; `ci` empties the packages, and `install --prefix <folder>` brings
 * a Node.js, which starts if STARTING names its version.
 */
const NPM = `#!/bin/sh
set -e
for argument; do case $argument in *@*) brought=$argument ;; esac; done
echo "$1 $brought" >> npm.log
case $1 in
  ci) rm -rf node_modules; mkdir -p node_modules/.bin; touch node_modules/.package-lock.json ;;
  install)
    bin="$3/node_modules/\${brought%@*}/bin"
    mkdir -p "$bin"
    case " $STARTING " in
      *" \${brought#*@} "*)
        printf '#!/bin/sh\\n[ "$1" = --version ] || exec "$REAL_NODE" "$@"\\necho v%s\\n' "\${brought#*@}" ;;
      *) printf '#!/bin/sh\\necho libatomic.so.1: cannot open shared object file >&2\\nexit 127\\n' ;;
    esac > "$bin/node"
    chmod +x "$bin/node" ;;
esac
`

type Machine = { starting: string; installedNode?: string }

describe('the set-up', { skip: process.platform === 'win32' && 'its npm is a shell script here' }, () => {
  test('installs the packages and brings the newest Node.js where the installed one is too old', (t) => {
    const project = makeProject(t)

    const { status } = project.setUp({ starting: '26.10.0 24.21.0' })

    assert.equal(status, 0)
    assert.deepEqual(project.npmRuns(), ['ci', 'install 26.10.0'])
    assert.equal(project.nodeOnPath(), 'v26.10.0')
  })

  test('takes the release with long-term support where the newest does not start', (t) => {
    const project = makeProject(t)

    const { status, stderr } = project.setUp({ starting: '24.21.0' })

    assert.equal(status, 0)
    assert.deepEqual(project.npmRuns(), ['ci', 'install 26.10.0', 'install 24.21.0'])
    assert.equal(project.nodeOnPath(), 'v24.21.0')
    assert.match(stderr, /Node\.js 26\.10\.0 does not start here: libatomic\.so\.1/)
  })

  test('names the package to install where none starts, and succeeds once it is there', (t) => {
    const project = makeProject(t)

    const { status, stderr } = project.setUp({ starting: '' })

    assert.equal(status, 1)
    assert.match(stderr, /^set-up: install .*libatomic1.*24\.7 or newer$/m)
    assert.equal(project.nodeOnPath(), undefined)
    assert.equal(project.setUp({ starting: '26.10.0' }).status, 0)
    assert.equal(project.nodeOnPath(), 'v26.10.0')
  })

  test('brings Node.js again when the packages have changed, though it runs under the one it brought', (t) => {
    const project = makeProject(t)
    project.setUp({ starting: '26.10.0' })
    project.changeLockfile()

    const { status } = project.setUp({ starting: '26.10.0' })

    assert.equal(status, 0)
    assert.deepEqual(project.npmRuns().slice(2), ['ci', 'install 26.10.0'])
    assert.equal(project.nodeOnPath(), 'v26.10.0')
  })

  test('does nothing when all is there', (t) => {
    const project = makeProject(t)
    project.setUp({ starting: '26.10.0' })
    const before = project.npmRuns()

    const { status, stderr } = project.setUp({ starting: '26.10.0' })

    assert.equal(status, 0)
    assert.equal(stderr, '')
    assert.deepEqual(project.npmRuns(), before)
  })

  test('brings no Node.js where the installed one is recent', (t) => {
    const project = makeProject(t)

    const { status } = project.setUp({ starting: '', installedNode: '24.7.0' })

    assert.equal(status, 0)
    assert.deepEqual(project.npmRuns(), ['ci'])
  })

  test('builds the server when its sources are not those of the build', (t) => {
    const project = makeProject(t)
    const isBuilding = () => /building the server/.test(project.setUp({ starting: '26.10.0' }).stderr)
    project.changeServer('first')

    const atFirst = isBuilding()
    project.pretendToBuild()
    const onceBuilt = isBuilding()
    project.changeServer('second')
    const onceChanged = isBuilding()

    assert.deepEqual({ atFirst, onceBuilt, onceChanged }, { atFirst: true, onceBuilt: false, onceChanged: true })
  })

  test('leaves the build to a command that builds', (t) => {
    const project = makeProject(t)
    project.changeServer('first')

    const { status, stderr } = project.setUp({ starting: '26.10.0' }, 'scripts/build.ts')

    assert.deepEqual([status, project.npmRuns()], [0, ['ci', 'install 26.10.0']])
    assert.doesNotMatch(stderr, /building/)
  })

  test('runs every npm script that a fresh clone knows', () => {
    const { scripts } = JSON.parse(readFileSync(join(SCRIPTS, '..', 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }

    const others = Object.keys(scripts).filter((name) => !/^(\w+=\w+ )?node scripts\/run\.mjs\b/.test(scripts[name]))

    // The first has the set-up run before it, the other is the program of a package.
    assert.deepEqual(others, ['start', 'format'])
    assert.equal(scripts.prestart, 'node scripts/run.mjs')
  })
})

describe('a command', { skip: process.platform === 'win32' && 'its npm is a shell script here' }, () => {
  test('gets its arguments, owns standard output, and gives its exit status', async (t) => {
    const project = makeProject(t)
    project.setUp({ starting: '26.10.0' })

    const command = project.start('-p', 'process.exitCode = 3; process.argv[1]', 'an argument')

    const [[code], printed] = await Promise.all([once(command, 'exit'), text(command.stdout)])
    assert.deepEqual([code, printed], [3, 'an argument\n'])
  })

  test('gets the signal to stop, and ends in its own time', async (t) => {
    const project = makeProject(t)
    project.setUp({ starting: '26.10.0' })
    const stops = "process.on('SIGTERM', () => setTimeout(() => process.exit(4), 100)); setInterval(() => {}, 1000)"

    const command = project.start('-e', `${stops}; console.log('ready')`)
    await once(command.stdout, 'data')
    command.kill('SIGTERM')

    assert.deepEqual(await once(command, 'exit'), [4, null])
  })

  test('that a signal ends, ends the same for its caller', async (t) => {
    const project = makeProject(t)
    project.setUp({ starting: '26.10.0' })

    const command = project.start('-e', "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)")

    assert.deepEqual(await once(command, 'exit'), [null, 'SIGTERM'])
  })
})

/** Makes a project without pages on a machine whose npm and Node.js are shell scripts. */
function makeProject(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'set-up-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const at = (...parts: string[]) => join(folder, ...parts)
  for (const name of ['set-up', 'run.mjs', 'web-sources.mjs']) {
    cpSync(join(SCRIPTS, name), at('scripts', name), { recursive: true })
  }
  writeFileSync(at('scripts', 'build.ts'), '')
  writeFileSync(at('package.json'), '{ "engines": { "node": ">=24.7" } }')
  writeFileSync(at('package-lock.json'), '{}')
  writeFileSync(at('.node-version'), '26.10.0\n')
  writeFileSync(at('.node-version-lts'), '24.21.0\n')
  mkdirSync(at('bin'))
  writeFileSync(at('bin', 'npm'), NPM, { mode: 0o755 })
  const env = { PATH: [at('bin'), process.env.PATH].join(delimiter), REAL_NODE: process.execPath }

  return {
    setUp({ starting, installedNode = '20.19.0' }: Machine, ...options: string[]) {
      writeFileSync(at('bin', 'node'), `#!/bin/sh\necho v${installedNode}\n`, { mode: 0o755 })
      return spawnSync(process.execPath, ['scripts/run.mjs', ...options], {
        cwd: folder,
        env: { ...env, STARTING: starting },
        encoding: 'utf8',
      })
    },
    start(...command: string[]) {
      return spawn(process.execPath, ['scripts/run.mjs', ...command], { cwd: folder, env })
    },
    changeLockfile() {
      const later = Date.now() / 1000 + 1
      utimesSync(at('package-lock.json'), later, later)
    },
    changeServer(source: string) {
      mkdirSync(at('src'), { recursive: true })
      writeFileSync(at('src', 'main.ts'), source)
      for (const builder of ['build-server.ts', 'bundle-server.ts']) writeFileSync(at('scripts', builder), '')
    },
    /** Leaves what a build would: the check, and the hash of the sources. */
    pretendToBuild() {
      const check = at('dist', 'server', 'platform', 'basics')
      mkdirSync(check, { recursive: true })
      writeFileSync(join(check, 'build.js'), stripTypeScriptTypes(readFileSync(CHECK, 'utf8')))
      writeFileSync(at('dist', 'server', BUILT_MARK), hashOfServerSources(folder))
    },
    npmRuns: () =>
      readFileSync(at('npm.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.replace(PACKAGE, '').trim()),
    nodeOnPath() {
      const program = at('node_modules', '.bin', 'node')
      return existsSync(program) ? spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim() : undefined
    },
  }
}
