import { fdatasync, openSync, write } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

// The minimum of a server that keeps what it acknowledges: it appends bodies to a file, syncs it, and
// answers 204. Requests that arrive during a sync share the next one. It knows no track, reads no point,
// and cannot tell one it has from a new one.

const file = openSync(join(process.env.DATA_DIR as string, 'bodies'), 'a')
const append = promisify(write)
const sync = promisify(fdatasync)

let bodies: Buffer[] = []
let waiting: ServerResponse[] = []
let isSyncing = false

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    bodies.push(...chunks)
    waiting.push(response)
    if (!isSyncing) void keepAll()
  })
})

async function keepAll(): Promise<void> {
  isSyncing = true
  while (waiting.length > 0) {
    const answered = waiting
    const bytes = Buffer.concat(bodies)
    bodies = []
    waiting = []
    await append(file, bytes)
    await sync(file)
    for (const response of answered) {
      response.statusCode = 204
      response.end()
    }
  }
  isSyncing = false
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`running at http://localhost:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
