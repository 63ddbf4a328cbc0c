import type { Installation, RunningInstallation } from '../durability/installation.ts'
import type { Owner, TestDatabase } from '../support/databases.ts'
import type { SendRequest } from '../support/track-requests.ts'
import { sender, startProgram } from './start-program.ts'

/** The real program in a process of its own, and requests to it with the API key that its first start printed. */
export type Publisher = {
  installation: Installation
  process: RunningInstallation
  url: string
  request: SendRequest
  /** A request as anyone may make it: without a key, following no redirect. */
  read(path: string, headers?: Record<string, string>, method?: string): Promise<Response>
}

/** Starts the program on an empty database; nothing is counted unless the settings say so. */
export async function startPublishing(
  owner: Owner,
  database: TestDatabase,
  settings: Record<string, string> = {},
): Promise<Publisher> {
  const { installation, process } = await startProgram(owner, database, { PUBLICATIONS_RATE_LIMIT: '0', ...settings })
  return { installation, process, ...publisher(process.url, process.apiKey) }
}

/** Requests to an address with an API key. */
export function publisher(url: string, apiKey: string): Pick<Publisher, 'url' | 'request' | 'read'> {
  return {
    url,
    request: sender(url, apiKey),
    read: (path, headers = {}, method = 'GET') => fetch(new URL(path, url), { method, headers, redirect: 'manual' }),
  }
}
