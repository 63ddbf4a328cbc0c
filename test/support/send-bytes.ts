import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A response as raw bytes, not decoded. */
export type BytesAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/**
 * Sends exactly these headers and bytes, whereas `fetch` adds headers and decodes. A list of pieces, or a
 * generator of them, goes out chunked, without a Content-Length.
 */
export async function sendBytes(
  url: string,
  options: {
    method?: string
    headers?: OutgoingHttpHeaders
    body?: Buffer | string | Iterable<Buffer> | AsyncIterable<Buffer>
  } = {},
): Promise<BytesAnswer> {
  const { method = 'GET', headers = {}, body } = options
  const outgoing = request(url, { method, headers, agent: false })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  if (body === undefined) outgoing.end()
  else if (typeof body === 'string' || Buffer.isBuffer(body)) outgoing.end(body)
  // A server may answer and close before it has read everything, so only the response counts, not the sending.
  else pipeline(Readable.from(body), outgoing).catch(() => {})
  const [incoming] = await answered
  outgoing.on('error', () => {})
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  outgoing.destroy()
  return { status: incoming.statusCode!, headers: incoming.headers, body: Buffer.concat(pieces) }
}

/** Writes text to a new connection. @returns all bytes received until the server closes it */
export async function sendText(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(text)
  let answer = ''
  for await (const piece of socket.setEncoding('latin1')) answer += piece
  return answer
}
