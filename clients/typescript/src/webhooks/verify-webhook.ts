/** Webhooks as Trackpress sends them. `data` is what `GET` of the object answered at the change. */
export type WebhookEvent = {
  type: string
  /** Time of the change, RFC 3339. */
  timestamp: string
  data: unknown
}

/** Reason for which a request is no webhook of the endpoint. */
export type WebhookFault = 'headers' | 'timestamp' | 'signature' | 'body'

/** The request must be refused, with 400 or 401. */
export class WebhookError extends Error {
  readonly fault: WebhookFault

  constructor(fault: WebhookFault, message: string) {
    super(message)
    this.name = 'WebhookError'
    this.fault = fault
  }
}

/** A request to an endpoint. */
export type ReceivedWebhook = {
  /** Headers by name, of the Fetch API or of Node.js. */
  headers: { get(name: string): string | null } | Record<string, string | string[] | undefined>
  /** The body as it came, byte for byte. A body that was parsed and written again has another signature. */
  body: string | Uint8Array
  /** Secret of the endpoint, `whsec_…`; while it is exchanged, the old one and the new one. */
  secret: string | readonly string[]
  /** Milliseconds since 1970; the clock of the engine by default. */
  nowMs?: number
}

/** Standard Webhooks leaves the tolerance to the receiver; its libraries take five minutes. */
const TOLERANCE_SEC = 300
const PREFIX = 'whsec_'

/**
 * Verifies a webhook (https://www.standardwebhooks.com): HMAC-SHA-256 over `id.timestamp.body`. Works wherever
 * WebCrypto does: Node.js, Deno, Bun, workers and browsers.
 * @returns the event. A delivery may come more than once, with the same `id`.
 * @throws WebhookError
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent & { id: string }> {
  const { body, secret, nowMs = Date.now() } = received
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    header(received, `webhook-${name}`),
  )
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('timestamp', 'webhook-timestamp is not in seconds')
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_SEC) {
    throw new WebhookError('timestamp', `webhook-timestamp differs by more than ${TOLERANCE_SEC} s from the time`)
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!(await isSigned(signed, signatures, secrets))) throw new WebhookError('signature', 'no signature fits the body')
  try {
    return { id, ...JSON.parse(new TextDecoder().decode(bytes)) }
  } catch {
    throw new WebhookError('body', 'the body is not JSON')
  }
}

function header({ headers }: ReceivedWebhook, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name]
  if (typeof value !== 'string' || value === '') throw new WebhookError('headers', `the header ${name} is missing`)
  return value
}

/** Tries each signature with each secret. `verify` compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  for (const secret of secrets) {
    if (!secret.startsWith(PREFIX)) throw new TypeError(`A secret starts with ${PREFIX}.`)
    const bytes = fromBase64(secret.slice(PREFIX.length))
    if (bytes === undefined) throw new TypeError('The secret is not base64.')
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const text of signatures.split(' ')) {
      const signature = text.startsWith('v1,') ? fromBase64(text.slice(3)) : undefined
      if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true
    }
  }
  return false
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
