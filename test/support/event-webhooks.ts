import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Owner, TestDatabase } from './databases.ts'
import { type ServiceOptions, type StartedTracks, startService } from './start-service.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'

export type Webhook = {
  id: string
  url: string
  types: string[] | null
  enabled: boolean
  secret: string
} & Record<string, unknown>

export type Delivery = { id: string; type: string; status: string; attempts: number } & Record<string, unknown>

type Answer = Parameters<typeof startWebhookReceiver>[1]

const LOOPBACK = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }

/** Starts the service with an operator. Receivers may be on this machine. */
export function startForWebhooks(
  owner: Owner,
  database: TestDatabase,
  options: ServiceOptions = {},
): Promise<StartedTracks> {
  return startService(owner, database, { services: ['tracks'], settings: LOOPBACK, signedIn: true, ...options })
}

/** Opens an event of the test's own in a service that others use as well, and a receiver of its messages. */
export async function openEvent(t: TestContext, shared: StartedTracks, answer?: Answer) {
  const { id, token } = await shared.createEvent(randomUUID())
  // Before its receiver ends: another test's receiver may get the same port, and nothing else may reach that.
  t.after(async () => void (await shared.request('DELETE', `/operator/events/${id}`)))
  return await arrange(t, withEvent(shared, id, token), answer)
}

/** Starts a receiver for the event of a service. */
export async function arrange(t: TestContext, service: StartedTracks, answer?: Answer) {
  const receiver = await startWebhookReceiver(t, answer)
  const path = `/operator/events/${service.eventId}/webhooks`
  return {
    service,
    receiver,
    path,
    create: (fields: object = {}) => service.answer<Webhook>(201, 'POST', path, { url: receiver.url, ...fields }),
    async log(id: string): Promise<Delivery[]> {
      return (await service.answer<{ deliveries: Delivery[] }>(200, 'GET', `${path}/${id}/deliveries`)).deliveries
    },
    wake: () => service.server.tracks!.deps.webhooks.routeDeps.wake(),
  }
}

/** Returns the service with another event in place of the first. */
function withEvent(shared: StartedTracks, eventId: string, token: string): StartedTracks {
  const request: StartedTracks['request'] = (method, path, json, headers = {}) =>
    shared.request(method, path, json, path.startsWith('/operator') ? headers : { 'X-API-Key': token, ...headers })
  const createToken: StartedTracks['createToken'] = (grant) => shared.createToken({ eventId, ...grant })
  let manager: Promise<string> | undefined
  return {
    ...shared,
    eventId,
    token,
    request,
    createToken,
    async answer(status, method, path, json) {
      const response = await request(method, path, json)
      const text = await response.text()
      assert.equal(response.status, status, text)
      return text === '' ? undefined : JSON.parse(text)
    },
    async asManager(method, path, json) {
      manager ??= createToken()
      return await request(method, path, json, { 'X-API-Key': await manager })
    },
  }
}

/** A clock that stands still until it is set forward. */
export function adjustableClock() {
  let nowMs = Date.now()
  return { now: () => nowMs, advance: (ms: number) => (nowMs += ms) }
}

/** Reads again and again, until it is as it should be. */
export async function until<Result>(read: () => Promise<Result>, isDone: (result: Result) => boolean): Promise<Result> {
  for (;;) {
    const result = await read()
    if (isDone(result)) return result
    await wait(20)
  }
}
