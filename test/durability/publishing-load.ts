import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { RandomChoices } from '../support/random-choices.ts'
import { makeDocument, type PublishedDocument } from './published-document.ts'

/** A server to publish on: its address and the workspace's key. */
export type PublishingTarget = { url: string; apiKey: string }

/** Running publishers. `ended` resolves when all have stopped, which they do when the server is gone. */
export type PublishingLoad = { stop(): void; ended: Promise<void> }

export type PublishingOptions = {
  publishers?: number
  /** Pause of a publisher after the first document. It grows with each one, as that of phones. */
  restMs?: number
  /** Publishers accept 503 and broken connections, and try again. */
  isPatient?: boolean
}

/** A request without a response for this long fails the test. */
const PATIENCE_MS = 60_000
/** Pause of a patient publisher before it tries again. */
const RETRY_AFTER_MS = 200

/**
 * Runs independent publishers, each publishing one document after the other and
 * checking what the server delivers meanwhile.
 */
export function startPublishing(
  target: PublishingTarget,
  random: RandomChoices,
  ledger: PublishedDocument[],
  { publishers = 4, restMs = 0, isPatient = false }: PublishingOptions = {},
): PublishingLoad {
  const stopped = new AbortController()

  /** Returns whether the server was there. */
  async function attempt(step: () => Promise<boolean>): Promise<boolean> {
    for (;;) {
      const isDone = await step().catch((error) => {
        if (isPatient && error instanceof UnavailableError) return false
        throw error
      })
      if (isDone || !isPatient || stopped.signal.aborted) return isDone
      await wait(RETRY_AFTER_MS)
    }
  }

  async function work(): Promise<void> {
    while (!stopped.signal.aborted) {
      const document = makeDocument(random)
      ledger.push(document)
      if (!(await attempt(() => publish(target, document)))) return
      const page = random.between(1, document.pageCount)
      if (random.chance(0.7) && !(await attempt(() => lookAt(target, document, page)))) return
      if (restMs > 0) await wait(restMs * ledger.length, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  const ended = Promise.all(Array.from({ length: publishers }, work)).then(() => {})
  // The failure is reported to the caller that awaits the end. Until then it must not count as unhandled.
  ended.catch(() => {})
  return { stop: () => stopped.abort(), ended }
}

/** Publishes a document as far as possible and records acknowledged steps. Returns false if the server is gone. */
export async function publish(target: PublishingTarget, document: PublishedDocument): Promise<boolean> {
  if (!(await uploadWithTicket(target, document))) return false
  return document.creation === 'acknowledged' || (await create(target, document))
}

/** Uploads a document as far as possible, with a ticket that it keeps. Returns false if the server is gone. */
export async function uploadWithTicket(target: PublishingTarget, document: PublishedDocument): Promise<boolean> {
  if (document.ticket === undefined) {
    const answer = await ask(target, 'POST', '/publications/upload-url', { type: 'pdf' })
    if (answer === undefined) return false
    document.ticket = expectJson(answer, [200]) as NonNullable<PublishedDocument['ticket']>
  }
  return document.upload === 'acknowledged' || (await upload(document))
}

/** Repeats an upload whose response was lost. The ticket is still valid, or reported as used. */
async function upload(document: PublishedDocument): Promise<boolean> {
  const wasSent = document.upload === 'sent'
  document.upload = 'sent'
  const answer = await send(document.ticket!.uploadUrl, {
    method: 'PUT',
    headers: { 'content-type': 'application/pdf' },
    body: new Uint8Array(document.pdf),
  })
  if (answer === undefined) return false
  expectJson(answer, wasSent ? [200, 409] : [200])
  document.upload = 'acknowledged'
  return true
}

/** Repeats a creation whose response was lost, with the same idempotency key. There must be exactly one publication. */
async function create(target: PublishingTarget, document: PublishedDocument): Promise<boolean> {
  const wasSent = document.creation === 'sent'
  document.creation = 'sent'
  const { storageKey, pdfPath } = document.ticket!
  const body = { title: document.title, storageKey, pdfPath, sourceType: 'pdf' }
  const answer = await ask(target, 'POST', '/publications', body, { 'idempotency-key': document.idempotencyKey })
  if (answer === undefined) return false
  // The first request with this key may still be running.
  if (wasSent && answer.status === 409) throw new UnavailableError(String(answer.bytes))
  const { slug } = expectJson(answer, [201]) as { slug: string }
  document.creation = 'acknowledged'
  document.slug = slug
  return true
}

/**
 * Reads the file and an image, which may not be rendered yet. The server must deliver each completely or not at all.
 */
async function lookAt(target: PublishingTarget, document: PublishedDocument, page: number): Promise<boolean> {
  const file = await send(`${target.url}/publications/${document.slug}/download`, {})
  if (file === undefined) return false
  if (file.status === 503) throw new UnavailableError(String(file.bytes))
  assert.equal(file.status, 200)
  assert.equal(sha256(file.bytes), document.sha256)
  const listed = await send(`${target.url}/publications/${document.slug}/images`, {})
  if (listed === undefined) return false
  const { images } = expectJson(listed, [200]) as { images: string[] }
  const image = await send(images[page - 1], {})
  if (image === undefined) return false
  if (image.status !== 503) assertWholeImage(image)
  return true
}

/** Checks for the markers at the start and end of a JPEG (ITU-T T.81, B.1.1.3). */
export function assertWholeImage({ status, bytes }: Answered): void {
  assert.equal(status, 200)
  assert.equal(bytes.subarray(0, 2).toString('hex'), 'ffd8')
  assert.equal(bytes.subarray(-2).toString('hex'), 'ffd9')
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export type Answered = { status: number; bytes: Buffer }

/**
 * Sends a request with the workspace's key. Returns undefined if the connection broke before the response was complete.
 */
export function ask(
  { url, apiKey }: PublishingTarget,
  method: string,
  path: string,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered | undefined> {
  return send(url + path, {
    method,
    headers: { 'x-api-key': apiKey, ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: json === undefined ? undefined : JSON.stringify(json),
  })
}

export async function send(url: string, request: RequestInit): Promise<Answered | undefined> {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  } catch (error) {
    // fetch reports refused, reset and cut connections as a TypeError. Other errors do not concern the connection.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Thrown for a 503, and where the same request has to be sent again. */
class UnavailableError extends Error {}

export function expectJson({ status, bytes }: Answered, expected: readonly number[]): unknown {
  if (status === 503) throw new UnavailableError(`503: ${bytes}`)
  assert(expected.includes(status), `${status} instead of ${expected.join(' or ')}: ${bytes}`)
  return JSON.parse(bytes.toString())
}
