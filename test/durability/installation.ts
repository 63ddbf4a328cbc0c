import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Owner } from '../support/databases.ts'
import { type StartedProcess, startProcess } from '../support/start-process.ts'
import { type ApiClient, apiClient } from './api-client.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What an operator has: a folder and a database, on which the program is started, ended and started again. */
export type Installation = {
  settings: Record<string, string>
  /** Starts the real process; it ends with the owner if it has not ended before. */
  start(): Promise<RunningInstallation>
  /** Runs an admin command; `answer` is the JSON that it printed. */
  admin(...words: string[]): Promise<{ exitCode: number; answer: unknown; stderr: string }>
}

export type RunningInstallation = StartedProcess & { send: ApiClient; token: string }

/** A place where nothing has run yet; `open` gives the database, which is removed when all processes have ended. */
export async function openInstallation(
  owner: Owner,
  open: (owner: Owner) => Promise<{ url: string; dataDir: string }>,
): Promise<Installation> {
  const cleanUps: (() => Promise<void> | void)[] = []
  const processes: StartedProcess[] = []
  const address = await open({
    after: (clean) => cleanUps.push(clean),
    get passed() {
      return owner.passed
    },
  })
  const dataDir = address.dataDir || mkdtempSync(join(tmpdir(), 'installation-'))
  owner.after(async () => {
    for (const started of processes) {
      await started.stop('SIGKILL')
      if (owner.passed === false) process.stderr.write(errorsLogged(started).join('\n'))
    }
    for (const clean of cleanUps) await clean()
    if (address.dataDir === '') rmSync(dataDir, { recursive: true, force: true })
  })
  const settings = { DATA_DIR: dataDir, DATABASE_URL: address.url, TRACKS_RATE_LIMIT: '0' }
  let token = ''
  return {
    settings,
    async start() {
      const started = await startProcess(settings)
      processes.push(started)
      token = started.token ?? token
      return { ...started, token, send: apiClient(started.url, token) }
    },
    admin: (...words) => runAdmin(settings, words),
  }
}

function runAdmin(settings: Record<string, string>, words: string[]) {
  const env = { PATH: process.env.PATH, ...settings }
  return new Promise<{ exitCode: number; answer: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, ['src/admin.ts', ...words], { cwd: ROOT, env }, (error, stdout, stderr) => {
      resolve({ exitCode: Number(error?.code ?? 0), answer: stdout === '' ? undefined : JSON.parse(stdout), stderr })
    })
  })
}

/** What a process logged that nobody should ever read: failed requests and failed background work. */
export function errorsLogged(started: StartedProcess): string[] {
  return started
    .output()
    .stderr.split('\n')
    .filter((line) => /^\{"level":[56]0/.test(line))
}
