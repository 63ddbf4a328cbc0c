import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PublishError } from './exchange.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const NO_KEY = `An API key is needed, as --key or in the variable TRACKPRESS_API_KEY. To get one, on the server:
    npm run --silent admin -- workspaces list
    npm run --silent admin -- workspaces key <id>`

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Finds the API key of the installation in this folder with these settings, if it has exactly one workspace. Anyone who
 * can read the data folder can see every key.
 * @throws PublishError with instructions to get a key
 */
export async function findApiKey(server: string, env: Environment): Promise<string> {
  if (!isThisMachine(server) || !isInstalledHere(env)) throw new PublishError(NO_KEY)
  const workspaces = (await askAdmin(['workspaces', 'list'], env)) as { id: string; name: string }[]
  if (workspaces.length !== 1) throw new PublishError(`${NO_KEY}\n${listed(workspaces)}`)
  return ((await askAdmin(['workspaces', 'key', workspaces[0].id], env)) as { api_key: string }).api_key
}

function isThisMachine(server: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(server).hostname)
}

/** Checks for an installation, because the admin command would create one. */
function isInstalledHere({ DATA_DIR = join(ROOT, 'data'), SECRET_KEY, SECRET_KEY_FILE }: Environment): boolean {
  return Boolean(SECRET_KEY || SECRET_KEY_FILE) || existsSync(join(DATA_DIR, 'secret'))
}

async function askAdmin(words: string[], env: Environment): Promise<unknown> {
  const args = [join(ROOT, 'src/admin.ts'), ...words]
  const run = promisify(execFile)(process.execPath, args, { cwd: ROOT, env: { ...env, LOG_LEVEL: 'error' } })
  const { stdout } = await run.catch((error: Error & { stderr?: string }) => {
    throw new PublishError(`${NO_KEY}\nIt could not be read here: ${error.stderr?.trim() || error.message}`)
  })
  return JSON.parse(stdout)
}

function listed(workspaces: readonly { id: string; name: string }[]): string {
  if (workspaces.length === 0) return 'There is no workspace yet: npm run --silent admin -- workspaces create <name>'
  return `There are several workspaces:\n${workspaces.map(({ id, name }) => `    ${id}  ${name}`).join('\n')}`
}
