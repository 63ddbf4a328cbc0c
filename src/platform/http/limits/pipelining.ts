import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type AppError, rateLimited } from '../../errors.ts'

/**
 * Maximum number of requests that a connection may send ahead of an unfinished response. Browsers and phones send none;
 * load generators send some. Node.js starts all requests of one packet, 2,000 and more, before anything else.
 */
const MAX_PIPELINED = 16

/** Number from which the connection is reset: this is an attack, and reading on would cost more than it is worth. */
const RESET_FROM = 100

/** Number of such requests, for connections that have any. */
const pipelined = new WeakMap<Socket, number>()

/**
 * Counts a request whose response has to wait for an earlier one of its connection. Returns an error
 * for the first request beyond the limit, and `'ignored'` for later ones: they get no response, because
 * that of the first closes the connection.
 */
export function countPipelined(
  { socket }: IncomingMessage,
  response: ServerResponse,
): AppError | 'ignored' | undefined {
  const count = (pipelined.get(socket) ?? 0) + 1
  pipelined.set(socket, count)
  if (count >= RESET_FROM) socket.destroy()
  if (count > MAX_PIPELINED + 1) return 'ignored'
  if (count > MAX_PIPELINED) {
    // Otherwise the ignored requests would pile up until the earlier responses are sent.
    socket.pause()
    return rateLimited({
      detail: `More than ${MAX_PIPELINED} requests of this connection wait for their responses.`,
      headers: { connection: 'close', 'retry-after': '1' },
    })
  }
  response.once('close', () => pipelined.set(socket, pipelined.get(socket)! - 1))
  return undefined
}
