import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'

// The minimum of a file server in Node.js: it writes an upload to a file, and sends the bytes of a file.

const folder = mkdtempSync(join(tmpdir(), 'bare-'))
const image = process.env.IMAGE === undefined ? Buffer.alloc(0) : readFileSync(process.env.IMAGE)

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': image.length })
    response.end(image)
    return
  }
  pipeline(request, createWriteStream(join(folder, 'file')), (error) => {
    response.statusCode = error === undefined || error === null ? 200 : 500
    response.end()
  })
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`running at http://localhost:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
