import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { readZipBytes } from '../read-zip.ts'
import { sendBytes } from '../send-bytes.ts'

/**
 * Public address of every installation that is stored, so that the addresses in its answers stay the same. With
 * https, without which there are no passkeys.
 */
export const STORED_BASE_URL = 'https://trackpress.test'

/** A request as it was sent to an installation. */
export type StoredRequest = {
  /** What the answer shows: `the points of a paused track`. */
  name: string
  method: string
  path: string
  headers?: Record<string, string>
  /** JSON, or text in Base64 after `base64:`. */
  body?: unknown
  /** Members of the answer that depend on the time of the request. */
  timely?: readonly string[]
}

/** An answer in the form in which it is stored: JSON, the lines of a text, or the hash of other bytes. */
export type StoredAnswer = {
  status: number
  type: string
  location?: string
  json?: unknown
  lines?: readonly string[]
  sha256?: string
}

/** A request, and how an installation answered it. */
export type Exchange = { request: StoredRequest; answer: StoredAnswer }

/** Sends a request to an installation that runs at `url`, under its public host name. */
export async function send(url: string, { method, path, headers = {}, body }: StoredRequest) {
  const isBytes = typeof body === 'string' && body.startsWith('base64:')
  const bytes = body === undefined ? undefined : isBytes ? Buffer.from(body.slice(7), 'base64') : JSON.stringify(body)
  return await sendBytes(url + path, {
    method,
    headers: {
      host: new URL(STORED_BASE_URL).host,
      ...(body === undefined || isBytes ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: bytes,
  })
}

/** Sends a request and returns the answer as it is stored. */
export async function ask(url: string, request: StoredRequest): Promise<StoredAnswer> {
  const { status, headers, body } = await send(url, request)
  return { status, ...placeOf(headers), ...(await contentOf(headers, body)) }
}

function placeOf({ location }: IncomingHttpHeaders): { location?: string } {
  return location === undefined ? {} : { location }
}

async function contentOf(headers: IncomingHttpHeaders, body: Buffer): Promise<Omit<StoredAnswer, 'status'>> {
  const type = (headers['content-type'] ?? '').split(';')[0]
  if (body.length === 0) return { type }
  if (/[/+]json$/.test(type)) return { type, json: JSON.parse(body.toString()) }
  if (type === 'text/html') return { type, lines: visibleLines(body.toString()) }
  if (/^text\/|[/+]xml$/.test(type)) return { type, lines: body.toString().split(/\r?\n/) }
  if (type === 'application/zip') return { type, json: await filesOf(body) }
  return { type, sha256: sha256(body) }
}

/** The files of an archive, which also contains the time at which it was made. */
async function filesOf(archive: Buffer): Promise<Record<string, string>> {
  return Object.fromEntries([...(await readZipBytes(archive))].map(([name, content]) => [name, sha256(content)]))
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The text that a page shows, by its elements. The markup around it may change with every version. */
function visibleLines(html: string): string[] {
  return html
    .replace(/<(script|style|svg|template)\b.*?<\/\1>/gs, '')
    .replace(/<!--.*?-->/gs, '')
    .split(/<[^>]*>/)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
}
