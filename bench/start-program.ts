import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Target } from './target.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Starts a server as a process, and waits until it prints `running at <url>` and, if it has one, its token. */
export async function startProgram(
  name: string,
  script: string,
  settings: Record<string, string> = {},
): Promise<Target> {
  const child = spawn(process.execPath, [script], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'error',
      TRACKS_RATE_LIMIT: '0',
      PUBLICATIONS_RATE_LIMIT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const abandon = () => child.kill()
  process.prependOnceListener('exit', abandon)
  const ended = once(child, 'exit')
  const { promise: running, resolve, reject } = Promise.withResolvers<string>()
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    const url = /running at (\S+)\n/.exec(printed)
    if (url !== null) setImmediate(resolve, url[1])
  })
  child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  const url = await running
  return {
    name,
    url,
    token: /trk_[\w-]+/.exec(printed)?.[0] ?? 'none',
    apiKey: /pub_[\w-]+/.exec(printed)?.[0] ?? 'none',
    pid: child.pid as number,
    async stop() {
      process.removeListener('exit', abandon)
      child.kill('SIGTERM')
      await ended
    },
  }
}
