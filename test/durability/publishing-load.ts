import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { makeDocument, type PublishedDocument } from './published-document.ts'
import type { SeededRandom } from './seeded-random.ts'

/** A server to publish on: its address, and the key of the workspace. */
export type PublishingTarget = { url: string; apiKey: string }

/** Publishers at work: `ended` resolves when all have stopped, by themselves when the server is gone. */
export type PublishingLoad = { ended: Promise<void> }

/** Nobody waits for ever: a request without any answer for this long fails the test. */
const PATIENCE_MS = 60_000

/** Publishes documents one after the other, each publisher on its own, and looks at what is served meanwhile. */
export function startPublishing(
  target: PublishingTarget,
  random: SeededRandom,
  ledger: PublishedDocument[],
  publishers = 4,
): PublishingLoad {
  async function work(): Promise<void> {
    for (;;) {
      const document = makeDocument(random)
      ledger.push(document)
      if (!(await publish(target, document))) return
      if (random.chance(0.7) && !(await lookAt(target, document, random.between(1, document.pageCount)))) return
    }
  }

  const ended = Promise.all(Array.from({ length: publishers }, work)).then(() => {})
  // Whoever waits for the end hears of the failure; until then it is nobody's.
  ended.catch(() => {})
  return { ended }
}

/** Takes a document as far as it goes, noting what is acknowledged. Gives whether the server is still there. */
export async function publish(target: PublishingTarget, document: PublishedDocument): Promise<boolean> {
  if (document.ticket === undefined) {
    const answer = await ask(target, 'POST', '/publications/upload-url', { type: 'pdf' })
    if (answer === undefined) return false
    document.ticket = expectJson(answer, [200]) as NonNullable<PublishedDocument['ticket']>
  }
  if (document.upload !== 'acknowledged' && !(await upload(document))) return false
  return document.creation === 'acknowledged' || (await create(target, document))
}

/** An upload whose answer was lost is sent again: the ticket is good still, or says that it was used. */
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

/** A creation whose answer was lost is sent again, under the same key: there is one publication and never a second. */
async function create(target: PublishingTarget, document: PublishedDocument): Promise<boolean> {
  document.creation = 'sent'
  const { storageKey, pdfPath } = document.ticket!
  const body = { title: document.title, storageKey, pdfPath, sourceType: 'pdf' }
  const answer = await ask(target, 'POST', '/publications', body, { 'idempotency-key': document.idempotencyKey })
  if (answer === undefined) return false
  const { slug } = expectJson(answer, [201]) as { slug: string }
  document.creation = 'acknowledged'
  document.slug = slug
  return true
}

/** Reads the file and an image, which is perhaps not rendered yet: what is served is whole, or it is not served. */
async function lookAt(target: PublishingTarget, document: PublishedDocument, page: number): Promise<boolean> {
  const file = await send(`${target.url}/publications/${document.slug}/download`, {})
  if (file === undefined) return false
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

/** A JPEG begins and ends with its markers (ITU-T T.81, B.1.1.3). */
export function assertWholeImage({ status, bytes }: Answered): void {
  assert.equal(status, 200)
  assert.equal(bytes.subarray(0, 2).toString('hex'), 'ffd8')
  assert.equal(bytes.subarray(-2).toString('hex'), 'ffd9')
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export type Answered = { status: number; bytes: Buffer }

/** Sends a request with the workspace's key; undefined where the connection broke before the answer was complete. */
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
    // fetch tells of refused, reset and cut connections by a TypeError; anything else is not about the connection.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

export function expectJson({ status, bytes }: Answered, expected: readonly number[]): unknown {
  assert(expected.includes(status), `${status} instead of ${expected.join(' or ')}: ${bytes}`)
  return JSON.parse(bytes.toString())
}
