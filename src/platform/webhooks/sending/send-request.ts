import * as http from 'node:http'
import * as https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { AddressPolicy } from './address-policy.ts'
import { literalAddress } from './endpoint-url.ts'
import { readAnswer } from './read-answer.ts'
import { requestFailure } from './request-failure.ts'
import type { ResolveName } from './resolve-name.ts'

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
  override message = 'The URL leads to an address that is not allowed.'
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
    sent.on('close', () => fail(new Error('The connection was closed without an answer.')))
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
