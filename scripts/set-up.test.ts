import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { BUILT_MARK, hashOfServerSources } from '../src/platform/build/built-sources.ts'

const SCRIPTS = fileURLToPath(new URL('.', import.meta.url))
const CHECK = join(SCRIPTS, '..', 'src', 'platform', 'build', 'built-sources.ts')
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
      *" \${brought#*@} "*) printf '#!/bin/sh\\necho v%s\\n' "\${brought#*@}" ;;
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

    const { status, stderr } = project.setUp({ starting: '26.10.0' }, '--tools')

    assert.deepEqual([status, project.npmRuns()], [0, ['ci', 'install 26.10.0']])
    assert.doesNotMatch(stderr, /building/)
  })
})

/** Makes a project without pages on a machine whose npm and Node.js are shell scripts. */
function makeProject(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'set-up-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const at = (...parts: string[]) => join(folder, ...parts)
  for (const name of ['set-up', 'set-up.mjs', 'web-sources.mjs']) {
    cpSync(join(SCRIPTS, name), at('scripts', name), { recursive: true })
  }
  writeFileSync(at('package.json'), '{ "engines": { "node": ">=24.7" } }')
  writeFileSync(at('package-lock.json'), '{}')
  writeFileSync(at('.node-version'), '26.10.0\n')
  writeFileSync(at('.node-version-lts'), '24.21.0\n')
  mkdirSync(at('bin'))
  writeFileSync(at('bin', 'npm'), NPM, { mode: 0o755 })

  return {
    setUp({ starting, installedNode = '20.19.0' }: Machine, ...options: string[]) {
      writeFileSync(at('bin', 'node'), `#!/bin/sh\necho v${installedNode}\n`, { mode: 0o755 })
      const env = { PATH: [at('bin'), process.env.PATH].join(delimiter), STARTING: starting }
      return spawnSync(process.execPath, ['scripts/set-up.mjs', ...options], { cwd: folder, env, encoding: 'utf8' })
    },
    changeLockfile() {
      const later = Date.now() / 1000 + 1
      utimesSync(at('package-lock.json'), later, later)
    },
    changeServer(text: string) {
      mkdirSync(at('src'), { recursive: true })
      writeFileSync(at('src', 'main.ts'), text)
      for (const builder of ['build-server.ts', 'bundle-server.ts']) writeFileSync(at('scripts', builder), '')
    },
    /** Leaves what a build would: the check, and the hash of the sources. */
    pretendToBuild() {
      const check = at('dist', 'server', 'platform', 'build')
      mkdirSync(check, { recursive: true })
      writeFileSync(join(check, 'built-sources.js'), stripTypeScriptTypes(readFileSync(CHECK, 'utf8')))
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
