import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { Worker } from 'node:worker_threads'
import { sender } from '../acceptance/start-program.ts'
import { publisher } from '../acceptance/start-publishing.ts'
import { type Installation, openInstallation, type RunningInstallation } from '../durability/installation.ts'
import type { BystanderData, BystanderReport } from './attack/bystander.ts'
import { processUsage, type Usage } from './attack/process-usage.ts'
import type { Browser } from './browser.ts'
import { databases, type Owner, type TestDatabase } from './databases.ts'
import { signInFirstOperator } from './sign-in.ts'
import { type SendRequest, type TrackRequests, trackRequests } from './track-requests.ts'

/** The real program under attack: its own process on an empty installation, with all services and the dashboard. */
export type Target = {
  installation: Installation
  process: RunningInstallation
  url: string
  pid: number
  /** App token of the event that the first start created. */
  token: string
  /** API key of the workspace that the first start created. */
  apiKey: string
  /** The signed-in operator of the first start. */
  operator: Browser
  /** Sends requests with the app token. */
  request: SendRequest
  tracks: TrackRequests
  /** Sends requests with the API key. */
  publish: SendRequest
  /** Sends public requests of the publication service: without a key, and without following redirects. */
  read(path: string, headers?: Record<string, string>, method?: string): Promise<Response>
  /** Creates an event. @returns its id and app token */
  createEvent(fields?: object): Promise<{ id: string; token: string }>
  /**
   * Shares an event, by default that of the first start, or one of its tracks.
   * @returns the path for spectators, `/shares/shr_…`
   */
  share(body?: { track_id?: string }, eventId?: string): Promise<string>
  /** Reads memory and processor time. Undefined elsewhere than on Linux. */
  usage(): Usage | undefined
  /** Starts a phone of another event, which measures its waits until it is stopped. */
  probe(): Promise<Probe>
}

/**
 * A phone and a health check that have nothing to do with the attack, with an address of their own on Linux. Every 20
 * ms they post a small batch of points and request `/healthz`, each only after its previous answer.
 */
export type Probe = {
  /** Stops and returns counts, failures and waits. */
  stop(): Promise<BystanderReport>
}

/** Figures by their name, each with its unit: `{ 'longest wait': [12.3, 'ms'] }`. A count has the unit `''`. */
export type Figures = Record<string, readonly [value: number, unit: string]>

/**
 * Starts the program without rate limits, unless the settings set them. It ends with the owner, as does the folder or
 * database that it uses. By default it uses the first of the engines under test.
 */
export async function startTarget(
  owner: Owner,
  database: TestDatabase = databases[0],
  settings: Record<string, string> = {},
): Promise<Target> {
  const installation = await openInstallation(
    owner,
    database.prepare,
    { PUBLICATIONS_RATE_LIMIT: '0', ...settings },
    [],
  )
  const process = await installation.start()
  const { url, pid, token, apiKey } = process
  const operator = await signInFirstOperator(process, installation.query)
  const request = sender(url, token)
  const { request: publish, read } = publisher(url, apiKey)
  const answer = async <Body>(status: number, sent: Promise<Response>): Promise<Body> => {
    const response = await sent
    const text = await response.text()
    assert.equal(response.status, status, text)
    return JSON.parse(text) as Body
  }
  const firstEvent = async () => {
    const { events } = await answer<{ events: { id: string }[] }>(200, operator.request('GET', '/operator/events'))
    return events.at(-1)!.id
  }
  const target: Target = {
    installation,
    process,
    url,
    pid,
    token,
    apiKey,
    operator,
    request,
    tracks: trackRequests(request),
    publish,
    read,
    async createEvent(fields = {}) {
      const body = { name: 'Attacked', ...fields }
      const made = operator.request('POST', '/operator/events', body)
      const event = await answer<{ id: string; token: { token: string } }>(201, made)
      return { id: event.id, token: event.token.token }
    },
    async share(body = {}, eventId) {
      const path = `/operator/events/${eventId ?? (await firstEvent())}/shares`
      const made = await answer<{ url: string }>(201, operator.request('POST', path, body))
      return `/shares/${new URL(made.url).pathname.slice(3)}`
    },
    usage: () => processUsage(pid),
    probe: () => startProbe(owner, target),
  }
  return target
}

/** Returns the sizes of an attack: small ones for every test run, and the full ones of `npm run attack`. */
export function sizes<Sizes>(quick: Sizes, full: Sizes): Sizes {
  return process.env.ATTACK_SIZE === 'full' ? full : quick
}

/** Prints the figures of an attack, in one line, which `npm run attack` collects. */
export function held(test: Pick<TestContext, 'diagnostic'>, figures: Figures): void {
  test.diagnostic(
    Object.entries(figures)
      .map(([name, [value, unit]]) => `${name}: ${Number(value.toPrecision(4))} ${unit}`.trim())
      .join('; '),
  )
}

async function startProbe(owner: Owner, { url, createEvent }: Target): Promise<Probe> {
  const { token } = await createEvent({ name: 'Bystanders' })
  const trackId = await trackRequests(sender(url, token)).create()
  const workerData: BystanderData = { url, token, trackId }
  const worker = new Worker(new URL('./attack/bystander.ts', import.meta.url), { workerData })
  owner.after(async () => {
    await worker.terminate()
  })
  await once(worker, 'online')
  return {
    async stop() {
      const reported = once(worker, 'message')
      worker.postMessage('stop')
      const [report] = (await reported) as [BystanderReport]
      return report
    },
  }
}
