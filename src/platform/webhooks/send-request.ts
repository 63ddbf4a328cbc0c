import type { IncomingMessage } from 'node:http'
import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type AddressPolicy, literalAddress, type ResolveName } from './address-policy.ts'
import { type NoAnswerReason, noAnswerText } from './no-answer.ts'

/** A receiver answers within this time, from the resolution of its name on. */
export const ANSWER_WITHIN_MS = 15_000

/** A request to an endpoint. */
export type WebhookRequest = { url: string; headers: Record<string, string>; body: string }

/**
 * The outcome of a request: the receiver's answer, or the reason why there is none. `body` is the beginning of the
 * answer.
 */
export type WebhookAnswer = { status: number; body: string; error: null } | { status: null; body: null; error: string }

/** Sends one request. Never rejects; an aborted one has an error, too. */
export type SendRequest = (request: WebhookRequest, signal: AbortSignal) => Promise<WebhookAnswer>

type Options = { policy: AddressPolicy; resolve: ResolveName; answerWithinMs?: number }

/**
 * Creates the function that sends requests to endpoints. A name is resolved once, its addresses are checked, and the
 * connection goes to one of those: a name that leads elsewhere a moment later (DNS rebinding) changes nothing.
 * Redirects are answers like others, and no connection is used twice.
 */
export function createSendRequest({ policy, resolve, answerWithinMs = ANSWER_WITHIN_MS }: Options): SendRequest {
  return async (request, signal) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)])
    try {
      const url = new URL(request.url)
      const addresses = await withinLimit(allowedAddresses(url), limit)
      return await exchange(url, addresses, request, limit)
    } catch (error) {
      return { status: null, body: null, error: requestFailure(error, answerWithinMs) }
    }
  }

  async function allowedAddresses(url: URL): Promise<string[]> {
    const literal = literalAddress(url)
    const addresses = literal === undefined ? await resolve(url.hostname) : [literal]
    const allowed = addresses.filter((address) => policy.allows(address, url.protocol))
    if (allowed.length === 0) throw new AddressRefusedError()
    return allowed
  }
}

/**
 * Thrown if a name leads to no address that is allowed. The message names none: it would tell outsiders of inner
 * networks.
 */
class AddressRefusedError extends Error {
  override message = noAnswerText('addressRefused')
  readonly code = 'ERR_ADDRESS_REFUSED'
}

async function exchange(
  url: URL,
  addresses: readonly string[],
  { headers, body }: WebhookRequest,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const { request } = url.protocol === 'https:' ? https : http
  const bytes = Buffer.from(body)
  return await new Promise<WebhookAnswer>((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      agent: false,
      lookup: lookupAmong(addresses),
      signal,
      headers: { ...headers, 'content-length': String(bytes.length), connection: 'close' },
    })
    let isAnswered = false
    // Once the status has arrived, it counts, however the connection ends.
    const fail = (error: Error) => isAnswered || reject(error)
    sent.on('response', (response) => {
      isAnswered = true
      const status = response.statusCode!
      void readAnswer(response).then((text) => {
        resolve({ status, body: text, error: null })
        sent.destroy()
      })
    })
    sent.on('error', fail)
    // A receiver that switches protocols gives no answer.
    sent.on('close', () => fail(new Error(noAnswerText('closed'))))
    sent.end(bytes)
  })
}

/** Makes the connection's look-up of a name return addresses that are known already. */
function lookupAmong(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, options, callback) => {
    if (options.all === true) callback(null, found)
    else callback(null, found[0].address, found[0].family)
  }
}

async function withinLimit<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  return await Promise.race([work, ended.promise]).finally(() => signal.removeEventListener('abort', end))
}

/** Failures of a request by the code of Node.js, OpenSSL or this folder. */
const FAILURES: Record<string, NoAnswerReason> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'connectTimeout',
  ENOTFOUND: 'notFound',
  ENODATA: 'notFound',
  EAI_AGAIN: 'notLookedUp',
  EPROTO: 'tlsFailed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'otherName',
  CERT_HAS_EXPIRED: 'certificateExpired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'selfSigned',
  SELF_SIGNED_CERT_IN_CHAIN: 'selfSigned',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'chainIncomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'issuerUnknown',
  ERR_ADDRESS_REFUSED: 'addressRefused',
}

/** Describes why a request got no answer. */
function requestFailure(error: unknown, answerWithinMs: number): string {
  const failure = deepest(error)
  if (failure.name === 'TimeoutError') return noAnswerText('tooLate', String(answerWithinMs / 1000))
  if (failure.name === 'AbortError') return noAnswerText('stopped')
  const { code } = failure
  if (code === undefined) return failure.message
  if (code in FAILURES) return noAnswerText(FAILURES[code])
  return noAnswerText(code.startsWith('HPE_') ? 'notHttp' : 'other', code)
}

/** Several addresses fail with one error each; an aborted request names the reason as its cause. */
function deepest(error: unknown): Error & { code?: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return deepest(error.errors[0])
  const { name, cause } = error as Error
  return name === 'AbortError' && cause instanceof Error ? deepest(cause) : (error as Error)
}

/** Part of an answer that is kept for the log. The rest is not read. */
const ANSWER_KEPT_BYTES = 4096

/**
 * Reads the beginning of an answer as text. An answer that stops early, or takes longer than the request may, is
 * complete as far as it came: only its status counts.
 */
async function readAnswer(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece)
      size += piece.length
      if (size >= ANSWER_KEPT_BYTES) break
    }
  } catch {
    // The status has arrived.
  }
  const text = Buffer.concat(pieces).subarray(0, ANSWER_KEPT_BYTES).toString('utf8')
  // PostgreSQL stores no U+0000.
  return text.replaceAll('\0', '\uFFFD')
}
