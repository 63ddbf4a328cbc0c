import type { Installation, RunningInstallation } from '../durability/installation.ts'
import type { Owner, TestDatabase } from '../support/databases.ts'
import type { SendRequest } from '../support/track-requests.ts'
import { sender, startProgram } from './start-program.ts'

/** The real program as a process, and requests with the API key printed by its first start. */
export type Publisher = {
  installation: Installation
  process: RunningInstallation
  url: string
  request: SendRequest
  /** Sends a public request: without a key, and without following redirects. */
  read(path: string, headers?: Record<string, string>, method?: string): Promise<Response>
}

/** Starts the program on an empty database, without a rate limit unless the settings set one. */
export async function startPublishing(
  owner: Owner,
  database: TestDatabase,
  settings: Record<string, string> = {},
): Promise<Publisher> {
  const { installation, process } = await startProgram(owner, database, { PUBLICATIONS_RATE_LIMIT: '0', ...settings })
  return { installation, process, ...publisher(process.url, process.apiKey) }
}

/** Sends requests to an address with an API key. */
export function publisher(url: string, apiKey: string): Pick<Publisher, 'url' | 'request' | 'read'> {
  return {
    url,
    request: sender(url, apiKey),
    read: (path, headers = {}, method = 'GET') => fetch(new URL(path, url), { method, headers, redirect: 'manual' }),
  }
}
