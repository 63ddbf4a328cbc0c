import { Agent, get, type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { makePoints } from '../make-points.ts'

/** An event that is under way: its phones, each with a track of its own, and the people who watch its share. */
export type EventLoad = {
  url: string
  token: string
  /** Path of the share, `/shares/shr_…`. */
  share: string
  trackIds: readonly string[]
  /** Each phone sends a batch of as many points as seconds have passed. */
  everySec: number
  durationSec: number
  spectators: number
}

/** Waits and delays in milliseconds, in ascending order. */
export type EventReport = {
  /** From the moment a phone wanted to send to its answer. */
  phoneWaitsMs: number[]
  /** Answers other than 204, by status or error code, and spectators whose stream ended early, by how and when. */
  failures: Record<string, number>
  /** From sending a point to its arrival at a spectator. */
  delaysMs: number[]
  /** Longest time without a message at one spectator. */
  longestGapMs: number
  spectatorBytes: number
}

/** Clients per loopback address, well below the limits for one address. */
const CLIENTS_PER_ADDRESS = 50
/** Spectators that parse their messages. The others only read them, so that the client leaves time to the server. */
const PARSING_SPECTATORS = 3

/** Runs the event for its duration. Phones send on time, even if earlier batches are still unanswered. */
export async function runEvent(load: EventLoad): Promise<EventReport> {
  const { durationSec, everySec, trackIds } = load
  const sentMs = new Map<string, number>()
  const agents = new Map<string, Agent>()
  const report: EventReport = { phoneWaitsMs: [], failures: {}, delaysMs: [], longestGapMs: 0, spectatorBytes: 0 }
  const streams = await Promise.all(Array.from({ length: load.spectators }, (_, at) => watch(load, at, sentMs, report)))
  const startedMs = performance.now()
  const firstPointMs = Date.now()
  let isOver = false
  for (const stream of streams) {
    if (stream.closed) noteLost(stream)
    else stream.once('close', () => noteLost(stream))
  }
  await Promise.all(trackIds.map(runPhone))
  await wait(2000)
  isOver = true
  for (const stream of streams) stream.destroy()
  for (const agent of agents.values()) agent.destroy()
  report.phoneWaitsMs.sort((a, b) => a - b)
  report.delaysMs.sort((a, b) => a - b)
  return report

  async function runPhone(trackId: string, at: number): Promise<void> {
    const answers: Promise<void>[] = []
    for (let batch = 0; batch * everySec < durationSec; batch++) {
      const dueMs = startedMs + (batch + at / trackIds.length) * everySec * 1000
      await wait(Math.max(0, dueMs - performance.now()))
      answers.push(sendBatch(trackId, at, firstPointMs + batch * everySec * 1000, dueMs))
    }
    await Promise.all(answers)
  }

  function noteLost({ errored }: IncomingMessage): void {
    if (isOver) return
    const how = errored === null ? 'ended' : ((errored as NodeJS.ErrnoException).code ?? errored.message)
    const afterSec = 10 * Math.floor((performance.now() - startedMs) / 10_000)
    fail(`spectator lost after ${afterSec} s: ${how}`)
  }

  function fail(how: string): void {
    report.failures[how] = (report.failures[how] ?? 0) + 1
  }

  async function sendBatch(trackId: string, at: number, fromMs: number, dueMs: number): Promise<void> {
    const lastMs = fromMs + (everySec - 1) * 1000
    sentMs.set(`${trackId} ${lastMs}`, performance.now())
    const status = await post(load, agentFor(at), trackId, JSON.stringify({ points: makePoints(everySec, fromMs) }))
    report.phoneWaitsMs.push(performance.now() - dueMs)
    if (status !== '204') fail(status)
  }

  function agentFor(at: number): Agent {
    const localAddress = addressFor(1, at)
    const agent = agents.get(localAddress) ?? new Agent({ keepAlive: true, localAddress })
    agents.set(localAddress, agent)
    return agent
  }
}

/** Returns the address of a client. Linux answers on all of 127.0.0.0/8; elsewhere everybody shares one address. */
export function addressFor(group: number, at: number): string {
  if (process.platform !== 'linux') return '127.0.0.1'
  const index = Math.floor(at / CLIENTS_PER_ADDRESS)
  // The last part is 1 to 254.
  return `127.${group}.${Math.floor(index / 254)}.${(index % 254) + 1}`
}

function post({ url, token }: EventLoad, agent: Agent, trackId: string, body: string): Promise<string> {
  const headers = { 'X-API-Key': token, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
  return new Promise((resolve) => {
    const sent = request(`${url}/tracks/${trackId}/points`, { method: 'POST', headers, agent }, (response) => {
      response.resume().once('end', () => resolve(String(response.statusCode)))
      response.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end(body)
  })
}

async function watch(
  { url, share }: EventLoad,
  at: number,
  sentMs: Map<string, number>,
  report: EventReport,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  // As browsers do, and a large event sends its server's network a fifth.
  const headers = { 'Accept-Encoding': 'gzip' }
  get(`${url}${share}/live`, { agent: false, localAddress: addressFor(2, at), headers }, resolve).once('error', reject)
  const stream = await promise
  if (stream.statusCode !== 200) throw new Error(`A spectator was answered ${stream.statusCode}`)
  stream.on('error', () => {})
  let heardMs = performance.now()
  stream.on('data', (data: Buffer) => {
    report.spectatorBytes += data.length
    report.longestGapMs = Math.max(report.longestGapMs, performance.now() - heardMs)
    heardMs = performance.now()
  })
  if (at < PARSING_SPECTATORS) parse(stream, sentMs, report)
  return stream
}

/** Notes the delay of every last point of a batch. */
function parse(stream: IncomingMessage, sentMs: Map<string, number>, report: EventReport): void {
  const text = stream.pipe(createGunzip())
  // A stream of events is broken off.
  text.on('error', () => {})
  const lines = createInterface({ input: text })
  lines.on('error', () => {})
  lines.on('line', (line) => {
    if (!line.startsWith('data: {"track_id"')) return
    const { track_id, time_ms } = JSON.parse(line.slice('data: '.length)) as { track_id: string; time_ms: number[] }
    for (const timeMs of time_ms) {
      const startedMs = sentMs.get(`${track_id} ${timeMs}`)
      if (startedMs !== undefined) report.delaysMs.push(performance.now() - startedMs)
    }
  })
}
