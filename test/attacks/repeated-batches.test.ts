import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { held, sizes, startTarget } from '../support/attack.ts'
import { makePoints } from '../support/make-points.ts'

const SIZE = sizes({ connections: 20, rounds: 5 }, { connections: 100, rounds: 50 })

describe('repeated batches', async () => {
  const target = await startTarget({ after })

  test('the same batch from many connections at once is stored once and does not hold up others', async (t) => {
    const trackId = await target.tracks.create()
    const points = makePoints(100)
    const probe = await target.probe()

    const phone = async () => {
      for (let round = 0; round < SIZE.rounds; round++) await target.tracks.add(trackId, points)
    }
    await Promise.all(Array.from({ length: SIZE.connections }, phone))

    const bystanders = await probe.stop()
    assert.equal((await target.tracks.read(trackId)).points_count, 100)
    assert.equal(bystanders.points.failed + bystanders.health.failed, 0)
    held(t, {
      requests: [SIZE.connections * SIZE.rounds, ''],
      'longest wait of a phone': [bystanders.points.longestMs, 'ms'],
      'longest wait of /healthz': [bystanders.health.longestMs, 'ms'],
    })
  })
})
