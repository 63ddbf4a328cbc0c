import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** The server as operators run it. It refuses to start when its sources have changed since it was built. */
export const PROGRAM = 'dist/server/main.js'
/** The admin command, likewise. */
export const ADMIN = 'dist/server/admin.js'

/**
 * For programs that answer a few requests: optimising hot code takes a fifth of their processor time, even with the
 * quicker of the two compilers, which sees after 400 calls what is hot.
 */
export const SHORT_LIVED = ['--no-opt', '--invocation-count-for-maglev=3000']

/** The exit code and output of a program. */
export type Ended = { exitCode: number; stdout: string; stderr: string }

/** Looking at all that an installation stores takes a minute or two beside other work. */
const TIME_LIMIT_MS = 5 * 60_000

/** Runs a program of the project with exactly these settings until it exits. @throws Error after 5 minutes */
export function runProgram(file: string, settings: Record<string, string>, args: string[] = []): Promise<Ended> {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings }
  return new Promise((resolve, reject) => {
    const words = [...SHORT_LIVED, file, ...args]
    execFile(process.execPath, words, { cwd: ROOT, env, timeout: TIME_LIMIT_MS }, (error, stdout, stderr) => {
      if (error?.killed) reject(new Error(`${file} ${args.join(' ')} did not end: ${stdout}${stderr}`))
      else resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr })
    })
  })
}
