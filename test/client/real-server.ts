import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import type { Fetch } from '../../clients/typescript/src/queue/exchange.ts'
import type { Owner, TestDatabase } from '../support/databases.ts'
import { startService } from '../support/start-service.ts'
import type { ScheduleServer } from './schedule-server.ts'

/** Starts a server in this process, with two events. Its `fetch` sends requests over the loopback interface. */
export async function startRealServer(owner: Owner, database: TestDatabase): Promise<ScheduleServer> {
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
