import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PublishError } from '../publish/exchange.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Time for an orderly stop, after which the server is killed. */
const STOP_WITHIN_MS = 15_000
/** Length of the last output to keep, which shows why the server ended. */
const KEPT_OUTPUT = 4000

/** Starts the real program as a process, with a temporary data folder. */
export type OwnServer = {
  url: string
  apiKey: string
  pid: number
  /** The cause of an unexpected end, with the last output; undefined while running. */
  ended(): string | undefined
  stop(): Promise<void>
}

/** @throws PublishError if it does not start */
export async function startOwnServer(): Promise<OwnServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'corpus-'))
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir, PUBLICATIONS_RATE_LIMIT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C goes to this program only, which then stops the server.
    detached: true,
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let printed = ''
  let said = ''
  const isRunning = Promise.withResolvers<void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (/pub_[\w-]+/.test(printed)) isRunning.resolve()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-KEPT_OUTPUT)
  })
  const exited = once(child, 'exit')
  const ended = () => {
    const how = child.exitCode ?? child.signalCode
    return how === null ? undefined : `the server ended with ${how}${said === '' ? '' : `:\n${said.trim()}`}`
  }

  async function stop(): Promise<void> {
    const impatience = setTimeout(kill, STOP_WITHIN_MS)
    if (ended() === undefined) child.kill('SIGTERM')
    await exited
    clearTimeout(impatience)
    process.removeListener('exit', kill)
    rmSync(dataDir, { recursive: true, force: true })
  }

  await Promise.race([isRunning.promise, exited])
  const url = /running at (\S+)/.exec(printed)?.[1]
  const apiKey = /pub_[\w-]+/.exec(printed)?.[0]
  if (url === undefined || apiKey === undefined) {
    const reason = ended() ?? `it printed:\n${printed}`
    await stop()
    throw new PublishError(`The server could not be started: ${reason}`)
  }
  return { url, apiKey, pid: child.pid!, ended, stop }
}
