import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'
import { apiClient } from './api-client.ts'
import { errorsLogged, openInstallation, TRACKS_ALONE } from './installation.ts'
import { roundCount, seededRandom } from './seeded-random.ts'

const SETTINGS = { ...TRACKS_ALONE, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }

for (const database of databases) {
  describe(`a process killed while it sends webhooks, on ${database.name}`, () => {
    test('every message of an acknowledged change arrives', async (t) => {
      const random = seededRandom(t)
      // Slow enough that every kill hits requests that are under way.
      const receiver = await startWebhookReceiver(t, (response) => setTimeout(() => response.writeHead(204).end(), 50))
      const installation = await openInstallation(t, database.prepare, SETTINGS)
      let server = await installation.start()
      const manager = apiClient(server.url, await installation.managerToken())
      assert.equal((await manager('POST', '/webhooks', { url: receiver.url }))?.status, 201)
      const acknowledged: string[] = []

      for (let round = 0; round < roundCount(1); round++) {
        const { send } = server
        let isStopped = false
        const sending = (async () => {
          while (!isStopped) {
            const body = { track: { device_track_id: randomUUID() }, points: makePoints(3) }
            const answer = await send('POST', '/sync', body)
            if (answer?.status === 201) acknowledged.push((answer.json as { track_id: string }).track_id)
          }
        })()
        const enough = acknowledged.length + random.between(1, 40)
        while (acknowledged.length < enough) await wait(5)
        await server.stop('SIGKILL')
        isStopped = true
        await sending
        assert.deepEqual(errorsLogged(server), [])
        // As if the leases of the process that died had ended.
        await installation.query('update webhook_deliveries set due_at = 0 where due_at is not null')
        server = await installation.start()
      }

      const wanted = acknowledged.flatMap((id) => [`track.created ${id}`, `track.finished ${id}`])
      const missing = () => {
        const arrived = new Set(receiver.received.map(({ type, data }) => `${type} ${data.id}`))
        return wanted.filter((message) => !arrived.has(message))
      }
      while (missing().length > 0) await wait(100)
      const ids = new Set(receiver.received.map(({ id }) => id))
      t.diagnostic(`${wanted.length} messages, ${receiver.received.length - ids.size} of them sent again`)
      assert(wanted.length > 0)
      // A repeated message has the id of the first, and no change has two.
      assert.equal(ids.size, new Set(receiver.received.map(({ type, data }) => `${type} ${data.id}`)).size)
    })
  })
}
