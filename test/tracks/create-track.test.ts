import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { startService } from '../support/start-service.ts'

for (const database of databases) {
  describe(`POST /tracks on ${database.name}`, async () => {
    const service = await startService({ after }, database)

    test('answers 201 with the id and the device_track_id', async () => {
      const response = await service.request('POST', '/tracks', { device_track_id: 'watch-1' })

      assert.equal(response.status, 201)
      const { id, ...rest } = (await response.json()) as { id: string }
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.deepEqual(rest, { device_track_id: 'watch-1' })
    })

    test('answers 409 with the track that has the device_track_id', async () => {
      const first = (await (await service.request('POST', '/tracks', { device_track_id: 'taken' })).json()) as {
        id: string
      }

      const second = await service.request('POST', '/tracks', { device_track_id: 'taken' })

      assert.equal(second.status, 409)
      const problem = (await second.json()) as { code: string; track_id: string }
      assert.equal(problem.code, 'CONFLICT')
      assert.equal(problem.track_id, first.id)
    })
  })
}
