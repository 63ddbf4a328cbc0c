import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// The minimum of a server in Node.js: it reads the body and answers 204.

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    response.statusCode = 204
    response.end()
  })
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`running at http://localhost:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
