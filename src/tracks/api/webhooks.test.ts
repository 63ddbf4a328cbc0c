import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { trackNotFound } from '../model/errors.ts'
import { createCompleteTrackMessage } from './webhooks.ts'

describe('createCompleteTrackMessage', () => {
  test('tells of a track that was deleted meanwhile what was stored, without the part that spectators see', async () => {
    const complete = createCompleteTrackMessage(
      async () => '7 · Anna',
      () => Promise.reject(trackNotFound()),
      50,
    )
    const stored = { distance_meters: 1200, shown: { distance_meters: 800 } }
    const times = { start_ms: 0, end_ms: null, created_at: 0, updated_at: 0 }
    const row = { ...times, id: 'a', point_count: 20, given_stats: null, computed_stats: JSON.stringify(stored) }

    const data = await complete({ type: 'track.finished', subjectId: 'a', draft: row })

    assert.deepEqual((data as { stats: object }).stats, { distance_meters: 1200 })
    assert.equal((data as { name: string }).name, '7 · Anna')
  })
})
