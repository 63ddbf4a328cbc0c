import { type Installation, openInstallation, type RunningInstallation } from '../durability/installation.ts'
import type { Owner, TestDatabase } from '../support/databases.ts'
import { type SendRequest, type TrackRequests, trackRequests } from '../support/track-requests.ts'

/** The real program as a process, and requests with the app token printed by its first start. */
export type Program = {
  installation: Installation
  process: RunningInstallation
  request: SendRequest
  tracks: TrackRequests
}

/** Starts the program on a database without rows, with these settings in addition to those of every test. */
export async function startProgram(
  owner: Owner,
  database: TestDatabase,
  settings: Record<string, string> = {},
): Promise<Program> {
  const installation = await openInstallation(owner, database.prepare)
  Object.assign(installation.settings, settings)
  return { installation, ...(await startAgain(installation)) }
}

/** Starts a stopped program again. Its address differs from before. */
export async function startAgain(installation: Installation): Promise<Omit<Program, 'installation'>> {
  const process = await installation.start()
  const request = sender(process.url, process.token)
  return { process, request, tracks: trackRequests(request) }
}

/** Sends requests to an address with a token. */
export function sender(url: string, token: string): SendRequest {
  return async (method, path, json, headers = {}) =>
    await fetch(url + path, {
      method,
      headers: {
        'X-API-Key': token,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? undefined : JSON.stringify(json),
    })
}
