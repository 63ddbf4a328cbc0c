import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import type { Fetch } from '../../clients/typescript/src/queue/exchange.ts'
import type { Owner, TestDatabase } from '../support/databases.ts'
import { startService } from '../support/start-service.ts'

/** The server in this process, as schedules use it: many at a time, each with a track of its own. */
export type RealServer = {
  url: string
  /** Sends a request over the loopback interface. */
  fetch: Fetch
  tokens: {
    /** Two tokens of one event. */
    valid: readonly [string, string]
    /** A token of another event, which does not have the tracks. */
    foreign: string
    revoked: string
  }
}

/** Starts a server with two events. */
export async function startRealServer(owner: Owner, database: TestDatabase): Promise<RealServer> {
  const service = await startService(owner, database, { services: ['tracks'], signedIn: true })
  const added = await service.request('POST', `/operator/events/${service.eventId}/tokens`, {})
  assert.equal(added.status, 201)
  const second = (await added.json()) as { token: string }
  const foreign = await service.createEvent('Another event')
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  owner.after(() => agent.destroy())
  return {
    url: service.url,
    fetch: fetchOver(agent),
    tokens: { valid: [service.token, second.token], foreign: foreign.token, revoked: 'trk_revoked' },
  }
}

/** A small `fetch` over connections that are kept: that of Node.js takes most of the time of a schedule. */
function fetchOver(agent: Agent): Fetch {
  return (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { agent, method, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part) => parts.push(part))
        response.on('error', reject)
        response.on('end', () => {
          const get = (name: string) => (response.headers[name.toLowerCase()] as string | undefined) ?? null
          const text = async () => Buffer.concat(parts).toString()
          resolve({ status: response.statusCode!, headers: { get }, text })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
}
