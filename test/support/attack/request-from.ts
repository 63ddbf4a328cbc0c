import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** Linux answers on all of 127.0.0.0/8, so that an attack can come from many addresses. Elsewhere there is only one. */
export function clientAddress(index: number): string | undefined {
  return process.platform === 'linux' ? `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}` : undefined
}

type RequestOptions = { headers?: Record<string, string>; signal?: AbortSignal }

/** Sends a GET request from an address, and returns the response once its head has arrived. */
export function openFrom(
  address: string | undefined,
  url: string,
  { headers, signal }: RequestOptions = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { localAddress: address, headers, signal, agent: false }, resolve).once('error', reject).end()
  })
}

/** Sends a GET request from an address, and returns the whole response. */
export async function getFrom(
  address: string | undefined,
  url: string,
  options?: RequestOptions,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  const response = await openFrom(address, url, options)
  return { status: response.statusCode!, headers: response.headers, body: await buffer(response) }
}
