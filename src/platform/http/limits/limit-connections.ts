import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { rateLimited } from '../../errors.ts'
import { endWithProblem } from '../problems/end-with-problem.ts'
import { addressMatcher } from './address-ranges.ts'
import { addressGroup } from './client-address.ts'
import { ConnectionLimit } from './connection-limit.ts'

/** Maximum number of connections of an address that is not that of a trusted proxy. */
type AddressConnections = {
  perAddress: number
  trustedProxies: readonly string[]
  /** Called for each connection that is refused. */
  onRefused?: () => void
}

/** Time for a refused client to read its answer. */
const REFUSED_OPEN_MS = 1000
const RETRY_AFTER_SEC = 10

/**
 * Refuses connections beyond the limit of their address with 429, before anything is read from them. Each takes memory
 * of its own, and each may send a small body, which no budget counts. Behind a trusted proxy all clients have one
 * address, so the proxy has to limit them.
 */
export function limitConnections(server: Server, { perAddress, trustedProxies, onRefused }: AddressConnections): void {
  const limit = new ConnectionLimit({ total: Number.POSITIVE_INFINITY, perCaller: perAddress })
  const isProxy = addressMatcher(trustedProxies)
  // The server's own listener would read the request of a connection that is refused.
  const listeners = server.listeners('connection')
  server.removeAllListeners('connection')

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address !== undefined && !isProxy(address)) {
      const leave = limit.hold(addressGroup(address))
      if (leave === undefined) {
        onRefused?.()
        return refuse(socket, perAddress)
      }
      socket.once('close', leave)
    }
    for (const listener of listeners) listener.call(server, socket)
  })
}

function refuse(socket: Socket, perAddress: number): void {
  const detail = `More than ${perAddress} connections are open from this address. Try again later.`
  socket.on('error', () => {})
  // Bytes that nobody has read would reset the connection, and with it the answer.
  socket.resume()
  endWithProblem(socket, rateLimited({ detail, headers: { 'retry-after': String(RETRY_AFTER_SEC) } }))
  setTimeout(() => socket.destroy(), REFUSED_OPEN_MS).unref()
}
