import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Target } from './target.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A server's command, run by a shell in a folder. The command must end as the server's own process. */
export type Command = { folder: string; line: string }

/** Returns the command of `npm start` in a checkout of this project, without its set-up. */
export function startCommand(root: string): Command {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  return { folder: root, line: scripts.start }
}

/** Returns the command of a server of the benchmark itself. */
export function benchServer(script: string): Command {
  return { folder: ROOT, line: `exec node bench/servers/${script}` }
}

const READY_WITHIN_MS = 60_000

const running = new Set<ChildProcess>()

/** Kills all servers that still run, after a part that failed. */
export async function killServers(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }),
  )
}

/** Starts a server as a process, and waits until it prints `running at <url>` and, if it has one, its token. */
export async function startProgram(
  name: string,
  { folder, line }: Command,
  settings: Record<string, string> = {},
): Promise<Target> {
  const child = spawn('sh', ['-c', line], {
    cwd: folder,
    env: {
      PATH: `${join(folder, 'node_modules', '.bin')}:${process.env.PATH}`,
      PORT: '0',
      LOG_LEVEL: 'error',
      TRACKS_RATE_LIMIT: '0',
      PUBLICATIONS_RATE_LIMIT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const abandon = () => child.kill()
  process.prependOnceListener('exit', abandon)
  const ended = once(child, 'exit')
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    const url = /running at (\S+)\n/.exec(printed)
    if (url !== null) setImmediate(resolve, url[1])
  })
  child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  const deadline = setTimeout(() => reject(new Error(`${name} is not ready:\n${printed}`)), READY_WITHIN_MS)
  const url = await ready.finally(() => clearTimeout(deadline))
  return {
    name,
    url,
    token: /trk_[\w-]+/.exec(printed)?.[0] ?? 'none',
    apiKey: /pub_[\w-]+/.exec(printed)?.[0] ?? 'none',
    signInToken: /sign-in#token=(\S+)/.exec(printed)?.[1],
    eventId: /Event\s.*\(([\w-]+)\)/.exec(printed)?.[1] ?? 'none',
    pid: child.pid as number,
    async stop() {
      process.removeListener('exit', abandon)
      child.kill('SIGTERM')
      await ended
    },
  }
}
