import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readZip } from '../support/read-zip.ts'

describeTracks('A track with a damaged chunk', { on: oneDatabase, signedIn: true }, async ({ service }) => {
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

  test('is compacted around the damaged chunk', async () => {
    const { db, compactor } = service.server.tracks!.deps
    const { id } = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'many' })
    for (const point of makePoints(9)) {
      assert.equal((await service.request('POST', `/tracks/${id}/points`, { points: [point] })).status, 204)
    }
    const chunks = async () =>
      await db
        .selectFrom('chunks')
        .select(['first_ms', 'count', 'merged'])
        .where('track_id', '=', id)
        .orderBy('first_ms')
        .execute()
    const before = await chunks()
    await db
      .updateTable('chunks')
      .set({ bytes: new Uint8Array(40) })
      .where('track_id', '=', id)
      .where('first_ms', '=', before[4].first_ms)
      .execute()

    compactor.add(id)
    await compactor.settled()

    assert.equal(before.length, 9)
    assert.deepEqual(
      (await chunks()).map(({ count, merged }) => [count, merged]),
      [
        [4, 1],
        [1, 0],
        [4, 1],
      ],
    )
    const { loose_chunks } = await db
      .selectFrom('tracks')
      .select('loose_chunks')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(loose_chunks, 1)
  })

  test('says what is damaged without failing the batches that share its transaction', async () => {
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
    const problem = (await refused.json()) as { code: string; track_id: string; damaged: string[] }
    assert.match(problem.damaged[0], /: 20 points, version 0 is unknown$/)
    assert.deepEqual([problem.code, problem.track_id], ['TRACK_DAMAGED', damaged])
    assert.deepEqual(
      accepted.map(({ status }) => status),
      [204, 204, 204],
    )
  })

  test('says so wherever its points are read, and in the list of an archive', async () => {
    const broken = await makeTrack('broken')
    const sound = await makeTrack('sound')
    await service.server.tracks!.deps.compactor.settled()
    await damage(broken)
    const operator = `/operator/tracks/${broken}`
    const shares = `/operator/events/${service.eventId}/shares`
    const share = await service.answer<{ url: string }>(201, 'POST', shares, { track_id: broken })
    const shared = `/shares/${share.url.split('/').at(-1)}/tracks/${broken}/series`
    const own = [`/tracks/${broken}`, `/tracks/${broken}/points`, `/tracks/${broken}/export?format=gpx`]

    const answers = await Promise.all(
      [...own, operator, `${operator}/series`, shared].map((path) => service.request('GET', path)),
    )
    const problems = (await Promise.all(answers.map((answer) => answer.json()))) as Record<string, unknown>[]
    const archive = await service.request('GET', `/operator/events/${service.eventId}/export?format=gpx`)
    const files = await readZip(Buffer.from(await archive.arrayBuffer()))

    assert.deepEqual(
      problems.map(({ code, status }) => [code, status]),
      Array(6).fill(['TRACK_DAMAGED', 500]),
    )
    for (const { detail, damaged } of problems.slice(0, 5)) {
      assert.match(String(detail), new RegExp(`^20 points of track ${broken} are damaged and cannot be read: .* to `))
      assert.equal((damaged as unknown[]).length, 1)
    }
    assert.equal(problems[5].damaged, undefined, 'spectators learn no times')
    assert.equal((await service.request('GET', `/tracks/${sound}`)).status, 200)
    assert.match(files.get('tracks.csv')!, new RegExp(`${broken}.*20 points of track .* are damaged`))
    assert.ok(files.size >= 2)
  })
})
