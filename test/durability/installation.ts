import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { AdminOutput } from '../support/admin-host.ts'
import { makeDataFolder } from '../support/data-folder.ts'
import type { Owner } from '../support/databases.ts'
import { ADMIN, SHORT_LIVED } from '../support/run-program.ts'
import { type StartedProcess, startProcess } from '../support/start-process.ts'
import { type ApiClient, apiClient } from './api-client.ts'

const ADMIN_HOST = fileURLToPath(new URL('../support/admin-host.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** For tests of recording only, because the process then starts in a third of the time. */
export const TRACKS_ALONE = { SERVICES: 'tracks' }

type DatabaseName = 'tracks' | 'publications' | 'operator'

/** An operator's installation: a folder and a database on which the program is started and stopped repeatedly. */
export type Installation = {
  settings: Record<string, string>
  /** Starts the real process. It ends with the owner at the latest. */
  start(): Promise<RunningInstallation>
  /** Runs an admin command in a process of its own. */
  admin(...words: string[]): Promise<AdminResult>
  /** Runs an admin command in one process with all that are run so, for tests of many. */
  command(...words: string[]): Promise<AdminResult>
  /** Returns a token of the first event that has all permissions. The first call creates it. */
  managerToken(): Promise<string>
  /** Queries or changes the database of a service directly, by default that of tracks, without the program. */
  query(statement: string, service?: DatabaseName): Promise<Record<string, unknown>[]>
}

/** What a command prints; `answer` is its JSON output. */
export type AdminResult = { exitCode: number; answer: unknown; stderr: string }

export type RunningInstallation = StartedProcess & { send: ApiClient; token: string; apiKey: string }

/** Creates an empty installation. `open` opens its database, which is removed after all processes have ended. */
export async function openInstallation(
  owner: Owner,
  open: (owner: Owner) => Promise<{ url: string; dataDir: string }>,
  furtherSettings: Record<string, string> = {},
  flags = SHORT_LIVED,
): Promise<Installation> {
  const cleanUps: (() => Promise<void> | void)[] = []
  const processes: StartedProcess[] = []
  const address = await open({
    after: (clean) => cleanUps.push(clean),
    get passed() {
      return owner.passed
    },
  })
  const dataDir = address.dataDir || makeDataFolder('installation-')
  owner.after(async () => {
    for (const started of processes) {
      await started.stop('SIGKILL')
      if (owner.passed === false) process.stderr.write(errorsLogged(started).join('\n'))
    }
    for (const clean of cleanUps) await clean()
    if (address.dataDir === '') rmSync(dataDir, { recursive: true, force: true })
  })
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: address.url,
    TRACKS_RATE_LIMIT: '0',
    ...furtherSettings,
  }
  let token = ''
  let apiKey = ''
  let managerToken: Promise<string> | undefined
  let host: AdminHost | undefined
  cleanUps.unshift(() => host?.end())
  const command = (...words: string[]) => {
    host ??= startAdminHost(settings)
    return host.run(words)
  }
  return {
    settings,
    async start() {
      const started = await startProcess(settings, [], { flags })
      processes.push(started)
      token = started.token ?? token
      apiKey = started.apiKey ?? apiKey
      return { ...started, token, apiKey, send: apiClient(started.url, token) }
    },
    admin: (...words) => runAdmin(settings, words),
    command,
    managerToken() {
      managerToken ??= managerTokenBy(command)
      return managerToken
    },
    query: (statement, service = 'tracks') => queryDatabase(settings, statement, service),
  }
}

function runAdmin(settings: Record<string, string>, words: string[]): Promise<AdminResult> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...SHORT_LIVED, ADMIN, ...words],
      { cwd: ROOT, env: withPath(settings) },
      (error, ...printed) =>
        resolve(asResult({ exitCode: Number(error?.code ?? 0), stdout: printed[0], stderr: printed[1] })),
    )
  })
}

type AdminHost = { run(words: string[]): Promise<AdminResult>; end(): void }

function startAdminHost(settings: Record<string, string>): AdminHost {
  const host = fork(ADMIN_HOST, { cwd: ROOT, execArgv: SHORT_LIVED, env: withPath(settings) })
  return {
    async run(words) {
      const answered = once(host, 'message')
      host.send(words)
      const [output] = (await answered) as [AdminOutput]
      return asResult(output)
    },
    end: () => void host.kill('SIGKILL'),
  }
}

function withPath(settings: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  return { PATH, NODE_COMPILE_CACHE, ...settings }
}

function asResult({ exitCode, stdout, stderr }: AdminOutput): AdminResult {
  return { exitCode, answer: stdout === '' ? undefined : JSON.parse(stdout), stderr }
}

/** Creates a token of the first event that has all permissions, in a process of its own. */
export async function createManagerToken(settings: Record<string, string>): Promise<string> {
  return await managerTokenBy((...words) => runAdmin(settings, words))
}

async function managerTokenBy(run: Installation['admin']): Promise<string> {
  const events = (await run('events', 'list')).answer as { id: string }[]
  const words = ['events', 'tokens', 'create', events.at(-1)!.id, '--permissions', 'record,read,manage']
  return ((await run(...words)).answer as { token: string }).token
}

async function queryDatabase(
  { DATABASE_URL, DATA_DIR }: Record<string, string>,
  statement: string,
  service: DatabaseName,
) {
  if (DATABASE_URL === '') {
    const database = new DatabaseSync(join(DATA_DIR, `${service}.sqlite`), { timeout: 5_000 })
    const rows = database.prepare(statement).all()
    database.close()
    return rows
  }
  const client = new Client({ connectionString: DATABASE_URL, options: `-c search_path=${service}` })
  await client.connect()
  const { rows } = await client.query(statement).finally(() => client.end())
  return rows
}

/** Extracts logged errors that must never occur: failed requests and failed background work. */
export function errorsLogged(started: StartedProcess): string[] {
  return started
    .output()
    .stderr.split('\n')
    .filter((line) => /^\{"level":[56]0/.test(line))
}
