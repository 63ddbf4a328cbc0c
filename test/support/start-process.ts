import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { PROGRAM, SHORT_LIVED } from './run-program.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A start runs migrations, and may share two cores with other tests. */
const START_WITHIN_MS = 60_000

/** The real program in its own process. */
export type StartedProcess = {
  child: ChildProcess
  pid: number
  url: string
  /** The app token that a first start printed; undefined on later starts. */
  token: string | undefined
  /** The API key that a first start printed; undefined on later starts. */
  apiKey: string | undefined
  /** Everything printed so far. */
  output(): { stdout: string; stderr: string }
  /** Sends a signal and waits for the exit. @returns the exit code, or the signal that ended it */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

export type StartOptions = {
  /** By default the built one. */
  program?: string
  withinMs?: number
  /** Of Node.js; none where memory or processor time of the program is measured, which then runs as elsewhere. */
  flags?: readonly string[]
}

/**
 * Starts the program with exactly these settings on a free port, and waits until it reports that it is running. The
 * arguments are the program's own.
 */
export async function startProcess(
  settings: Record<string, string>,
  args: string[] = [],
  { program = PROGRAM, withinMs = START_WITHIN_MS, flags = SHORT_LIVED }: StartOptions = {},
): Promise<StartedProcess> {
  const child = spawn(process.execPath, [...flags, program, ...args], {
    cwd: ROOT,
    env: { ...inherited(), PORT: '0', LOG_LEVEL: 'warn', OCR: 'off', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const exited = once(child, 'exit')
  // Later than the exit: what the process printed last may still be on its way.
  const closed = once(child, 'close')

  const startedAtMs = performance.now()
  while (!/running at (\S+)/.test(stdout)) {
    if (child.exitCode !== null || child.signalCode !== null || performance.now() - startedAtMs > withinMs) {
      child.kill('SIGKILL')
      const [code, endedBy] = await closed
      throw new Error(`The server did not start (${code ?? endedBy}):\n${stdout}${stderr}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }

  return {
    child,
    pid: child.pid!,
    url: /running at (\S+)/.exec(stdout)![1],
    apiKey: /pub_[\w-]+/.exec(stdout)?.[0],
    token: /trk_[\w-]+/.exec(stdout)?.[0],
    output: () => ({ stdout, stderr }),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      const [code, endedBy] = (await exited) as [number | null, NodeJS.Signals | null]
      return code ?? endedBy!
    },
  }
}

/** Returns the only variables passed on: the program path, and the folder of compiled code. */
function inherited(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE }
}
