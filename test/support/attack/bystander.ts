import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { makePoints } from '../make-points.ts'

// A worker thread, so that an attack that keeps its own thread busy does not lengthen the waits measured here.

export type BystanderData = { url: string; token: string; trackId: string }

/** Requests of one kind while an attack ran. Waits cover failed requests too. */
export type Waits = {
  sent: number
  /** Requests without the expected answer, by status or error code, such as `{ '503': 2, ECONNRESET: 1 }`. */
  failures: Record<string, number>
  failed: number
  longestMs: number
  p99Ms: number
}

export type BystanderReport = { points: Waits; health: Waits }

type Sent = { status: string; waitMs: number }

const EVERY_MS = 20
const BATCH_POINTS = 5
/** A request without an answer for this long counts as failed. */
const PATIENCE_MS = 120_000
const FIRST_POINT_MS = Date.UTC(2026, 4, 3, 6)

/**
 * Linux answers on all of 127.0.0.0/8, so the bystander has an address of its own there: a limit for the
 * attacker's address must not count for others.
 */
const OWN_ADDRESS = process.platform === 'linux' ? '127.0.0.99' : undefined

const { url, token, trackId } = workerData as BystanderData
const agent = new Agent({ keepAlive: true, localAddress: OWN_ADDRESS })
const stopped = new AbortController()
parentPort!.once('message', () => stopped.abort())
let batches = 0

const [points, health] = await Promise.all([
  repeat('204', () => {
    const batch = makePoints(BATCH_POINTS, FIRST_POINT_MS + batches++ * BATCH_POINTS * 1000)
    return send('POST', `/tracks/${trackId}/points`, JSON.stringify({ points: batch }))
  }),
  repeat('200', () => send('GET', '/healthz')),
])
agent.destroy()
parentPort!.postMessage({ points, health } satisfies BystanderReport)

/** Sends requests one after the other, each at least 20 ms after the last one was sent, until the attack is over. */
async function repeat(expected: string, sendOne: () => Promise<Sent>): Promise<Waits> {
  const all: Sent[] = []
  do {
    const startedMs = performance.now()
    all.push(await sendOne())
    await wait(Math.max(0, startedMs + EVERY_MS - performance.now()))
  } while (!stopped.signal.aborted)
  const waits = all.map(({ waitMs }) => waitMs).sort((a, b) => a - b)
  const failures: Record<string, number> = {}
  for (const { status } of all) if (status !== expected) failures[status] = (failures[status] ?? 0) + 1
  return {
    sent: all.length,
    failures,
    failed: Object.values(failures).reduce((sum, count) => sum + count, 0),
    longestMs: waits.at(-1)!,
    p99Ms: waits[Math.ceil(waits.length * 0.99) - 1],
  }
}

function send(method: string, path: string, body?: string): Promise<Sent> {
  const startedMs = performance.now()
  const headers = { 'X-API-Key': token, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) }
  return new Promise((resolve) => {
    const end = (status: string) => resolve({ status, waitMs: performance.now() - startedMs })
    const sent = request(new URL(path, url), { method, headers, agent, timeout: PATIENCE_MS }, (response) => {
      response.resume().once('end', () => end(String(response.statusCode)))
      response.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    })
    sent.once('timeout', () => sent.destroy(Object.assign(new Error('no answer'), { code: 'NO_ANSWER' })))
    sent.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    sent.end(body)
  })
}
