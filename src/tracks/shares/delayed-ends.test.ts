import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { databases } from '../../../test/support/databases.ts'
import { tracksMigrations } from '../model/migrations.ts'
import type { TracksTables } from '../model/tables.ts'
import { encodeChunk } from '../points/chunks/chunk-codec.ts'
import { emptyColumns } from '../points/point-columns.ts'
import { ComputeScheduler } from '../points/turns.ts'
import { createPointsPool } from '../statistics/points-pool.ts'
import { readTimesOfChunks } from '../statistics/points-tasks.ts'
import { createDelayedEnds } from './delayed-ends.ts'

const COUNT = 5000

/** Tracks with a chunk of a point each second, whose other columns are noise, and one that counts its readings. */
async function start(t: TestContext, tracks: number) {
  const { db } = await databases[0].connect<TracksTables>(t, { migrations: tracksMigrations })
  const points = emptyColumns(COUNT)
  for (let i = 0; i < COUNT; i++) {
    points.timeMs[i] = i * 1000
    points.latitude[i] = Math.sin(i * i)
    points.longitude[i] = Math.cos(i * i)
  }
  const bytes = encodeChunk(points, 'fast')
  const rows = Array.from({ length: tracks }, (_, i) => ({ id: `track ${i}`, point_count: COUNT }))
  for (const { id } of rows) {
    const chunk = { track_id: id, first_ms: 0, last_ms: (COUNT - 1) * 1000, count: COUNT, merged: 1, bytes }
    await db.insertInto('chunks').values(chunk).execute()
  }
  const read: [count: number, where: string][] = []
  const pool = {
    ...createPointsPool(new URL('../points-worker.ts', import.meta.url)),
    async times(task: { chunks: Uint8Array[] }, where: 'inline' | 'in a thread') {
      read.push([task.chunks.length, where])
      return readTimesOfChunks(task)
    },
  }
  const ends = createDelayedEnds({ db, pool, turns: new ComputeScheduler(), maxAccuracyMeters: 0 })
  return { rows: rows.map((row) => ({ ...row, revision: 1, last_point_ms: (COUNT - 1) * 1000 })), ends, read }
}

describe('createDelayedEnds', () => {
  test('decodes the times of a chunk once, in a thread, for all who ask and all steps', async (t) => {
    const { rows, ends, read } = await start(t, 60)

    const found = await Promise.all(Array.from({ length: 30 }, () => ends(rows, 10_500)))
    const later = await ends(rows, 15_000)

    for (const each of found) assert.deepEqual(each.get('track 7'), { count: 11, lastMs: 10_000 })
    assert.deepEqual(later.get('track 59'), { count: 16, lastMs: 15_000 })
    assert.deepEqual(read, [[60, 'in a thread']])
  })

  test('tells another end as soon as the time or the revision is another', async (t) => {
    const { rows, ends } = await start(t, 1)
    const [row] = rows
    await ends([row], 10_500)

    const whole = await ends([row], Number.MAX_SAFE_INTEGER)
    const none = await ends([{ ...row, revision: 2 }], -1)

    assert.deepEqual(whole.get(row.id), { count: COUNT, lastMs: row.last_point_ms })
    assert.deepEqual(none.get(row.id), { count: 0, lastMs: null })
  })
})
