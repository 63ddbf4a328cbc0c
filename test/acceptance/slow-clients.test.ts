import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { oneDatabase } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { startProgram } from './start-program.ts'

for (const database of oneDatabase) {
  // These tests wait for the server's timeouts, so they run at the same time.
  describe(`Slow clients on ${database.name}`, { concurrency: true }, async () => {
    const { process, tracks } = await startProgram({ after }, database, { SERVICES: 'tracks' })

    test('bodies that trickle in block no other request, and are accepted once complete', async () => {
      const id = await tracks.create()
      const body = Buffer.from(JSON.stringify({ points: makePoints(100) }))
      const slow = Array.from({ length: 50 }, () => {
        const outgoing = httpRequest(`${process.url}/tracks/${id}/points`, {
          method: 'POST',
          agent: false,
          headers: {
            'X-API-Key': process.token,
            'Content-Type': 'application/json',
            'Content-Length': body.length,
          },
        })
        outgoing.write(body.subarray(0, 20))
        return { outgoing, answered: once(outgoing, 'response') as Promise<[IncomingMessage]> }
      })

      for (let step = 1; step <= 5; step++) {
        for (const { outgoing } of slow) outgoing.write(body.subarray(step * 20, step * 20 + 20))
        await tracks.add(id, makePoints(step * 10))
        assert.equal((await tracks.read(id)).points_count, step * 10)
        await setTimeout(20)
      }
      for (const { outgoing } of slow) outgoing.end(body.subarray(120))

      const statuses = await Promise.all(slow.map(async ({ answered }) => (await answered)[0].statusCode))
      assert.deepEqual(statuses, Array(50).fill(204))
      assert.equal((await tracks.read(id)).points_count, 100)
    })

    // Independent of the database.
    test('a connection with an endless head is closed', async (t) => {
      const { hostname, port } = new URL(process.url)
      const socket = connect(Number(port), hostname)
      t.after(() => socket.destroy())
      socket.write('GET /tracks HTTP/1.1\r\nHost: x\r\n')
      const trickle = setInterval(() => socket.write('X-More: 1\r\n'), 500)
      t.after(() => clearInterval(trickle))

      socket.resume()
      socket.on('error', () => {})
      await once(socket, 'close', { signal: AbortSignal.timeout(60_000) })

      assert.equal((await fetch(`${process.url}/healthz`)).status, 200)
    })

    test('an aborted request leaves nothing behind', async () => {
      const id = await tracks.create()
      const body = JSON.stringify({ points: makePoints(100) })
      const { hostname, port } = new URL(process.url)

      for (const end of [10, 1000, body.length - 1]) {
        const socket = connect(Number(port), hostname)
        socket.write(
          `POST /tracks/${id}/points HTTP/1.1\r\nHost: x\r\nX-API-Key: ${process.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, end)}`,
          () => socket.resetAndDestroy(),
        )
        await once(socket, 'close')
      }

      assert.equal((await tracks.read(id)).points_count, 0)
      await tracks.add(id, makePoints(100))
    })
  })
}
