import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MIN_UNCOMPACTED_CHUNKS } from '../../src/tracks/points/storage/compactor.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'

describeTracks('A track that gets many batches', async ({ service }) => {
  const { compactor, db } = service.server.tracks!.deps

  async function storedChunks(): Promise<number> {
    await compactor.settled()
    const { count } = await db
      .selectFrom('chunks')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  test('is compacted once they are many, and not again with each of the next ones', async () => {
    const created = await service.request('POST', '/tracks', { device_track_id: 'long' })
    const { id } = (await created.json()) as { id: string }
    const points = makePoints(MIN_UNCOMPACTED_CHUNKS + 3)
    const send = async (point: (typeof points)[number]) =>
      (await service.request('POST', `/tracks/${id}/points`, { points: [point] })).status
    const many = points.slice(0, MIN_UNCOMPACTED_CHUNKS)
    // What is remembered of a track is renewed every 16 batches. A repeated batch moves that away from the last of
    // these.
    for (const point of [...many.slice(0, 5), many[4], ...many.slice(5)]) assert.equal(await send(point), 204)
    const compacted = await storedChunks()

    const counts: number[] = []
    for (const point of points.slice(MIN_UNCOMPACTED_CHUNKS)) {
      assert.equal(await send(point), 204)
      counts.push(await storedChunks())
    }

    assert.equal(compacted, 1)
    assert.deepEqual(counts, [2, 3, 4])
  })
})
