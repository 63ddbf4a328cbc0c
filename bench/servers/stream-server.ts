import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The minimum of a server of streams in Node.js: it answers with a head and the first bytes, and stays open.

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(':\n\n')
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`running at http://localhost:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
