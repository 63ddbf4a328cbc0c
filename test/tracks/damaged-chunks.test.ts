import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { startService } from '../support/start-service.ts'

for (const database of databases) {
  describe(`A track with a damaged chunk on ${database.name}`, async () => {
    const service = await startService({ after }, database, { services: ['tracks'] })

    async function makeTrack(deviceTrackId: string): Promise<string> {
      const response = await service.request('POST', '/sync', {
        track: { device_track_id: deviceTrackId },
        points: makePoints(20),
      })
      return ((await response.json()) as { track_id: string }).track_id
    }

    async function damage(trackId: string): Promise<void> {
      const { db } = service.server.tracks!.deps
      await db
        .updateTable('chunks')
        .set({ bytes: new Uint8Array(40) })
        .where('track_id', '=', trackId)
        .execute()
    }

    test('answers 500 without failing the batches that share its transaction', async () => {
      const damaged = await makeTrack('damaged')
      const others = await Promise.all(['a', 'b', 'c'].map(makeTrack))
      await service.server.tracks!.deps.compactor.settled()
      await damage(damaged)
      // Overlaps stored points, so that the chunk must be read.
      const overlapping = { points: makePoints(30) }

      const [refused, ...accepted] = await Promise.all(
        [damaged, ...others].map((id) => service.request('POST', `/tracks/${id}/points`, overlapping)),
      )

      assert.equal(refused.status, 500)
      assert.equal(((await refused.json()) as { code: string }).code, 'INTERNAL')
      assert.deepEqual(
        accepted.map(({ status }) => status),
        [204, 204, 204],
      )
    })
  })
}
