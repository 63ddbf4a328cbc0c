import { type Installation, openInstallation, type RunningInstallation } from '../durability/installation.ts'
import type { Owner, TestDatabase } from '../support/databases.ts'
import { type SendRequest, type TrackRequests, trackRequests } from '../support/track-requests.ts'

/** The real program in a process of its own, and requests to it with the app token that its first start printed. */
export type Program = {
  installation: Installation
  process: RunningInstallation
  request: SendRequest
  tracks: TrackRequests
}

/** Starts the program on an empty database with these settings beside those that every test has. */
export async function startProgram(
  owner: Owner,
  database: TestDatabase,
  settings: Record<string, string> = {},
): Promise<Program> {
  const installation = await openInstallation(owner, database.open)
  Object.assign(installation.settings, settings)
  return { installation, ...(await startAgain(installation)) }
}

/** Starts a program that is not running any more; it answers at another address than before. */
export async function startAgain(installation: Installation): Promise<Omit<Program, 'installation'>> {
  const process = await installation.start()
  const request = sender(process.url, process.token)
  return { process, request, tracks: trackRequests(request) }
}

/** Requests to an address with a token. */
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
