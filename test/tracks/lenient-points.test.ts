import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import type { WirePointList } from '../support/track-requests.ts'

const LENIENT = { Prefer: 'handling=lenient' }
const RECEIPT = { Prefer: 'return=representation' }

type Receipt = {
  received: number
  stored: number
  known: number
  rejected_count: number
  rejected: { index: number; errors: { path: string; message: string }[] }[]
}

describeTracks('Prefer', { on: oneDatabase }, async ({ service, tracks }) => {
  const another = await service.startAnother()
  const add = (id: string, points: unknown, headers: Record<string, string>) =>
    service.request('POST', `/tracks/${id}/points`, { points }, headers)

  async function receiptOf(response: Response): Promise<Receipt> {
    const text = await response.text()
    assert.equal(response.status, 200, text)
    const receipt = JSON.parse(text) as Receipt
    assert.equal(receipt.received, receipt.stored + receipt.known + receipt.rejected_count)
    return receipt
  }

  test('handling=lenient stores the valid points and says which were left out', async () => {
    const id = await tracks.create()
    const sent: object[] = makePoints(5)
    const valid = [...sent]
    sent[1] = { ...sent[1], heading: 361 }
    sent[3] = { ...sent[3], latitude: '48', timestamp: 5 }
    const kept = [0, 2, 4].map((index) => valid[index])

    const response = await add(id, sent, LENIENT)

    assert.equal(response.headers.get('preference-applied'), 'handling=lenient')
    assert.deepEqual(await receiptOf(response), {
      received: 5,
      stored: 3,
      known: 0,
      rejected_count: 2,
      rejected: [
        { index: 1, errors: [{ path: 'heading', message: 'must be <= 360' }] },
        {
          index: 3,
          errors: [
            { path: 'latitude', message: 'must be number' },
            { path: 'timestamp', message: 'must be string' },
          ],
        },
      ],
    })
    assert.deepEqual((await tracks.points(id)).points, kept)
  })

  test('handling=lenient takes negative values of an unknown measurement as not given, however the points are read', async () => {
    const [point] = makePoints(1)
    const unknown = { accuracy: -1, speed_mps: -1 }
    for (const more of [{}, { heading: -1, battery: -1 }]) {
      const id = await tracks.create()

      const receipt = await receiptOf(await add(id, [{ ...point, ...unknown, ...more }], LENIENT))

      assert.equal(receipt.stored, 1)
      assert.deepEqual((await tracks.points(id)).points, [point])
    }
  })

  test('handling=lenient answers 200 if all points are left out, and nothing changes', async () => {
    const id = await tracks.create()
    const before = await tracks.read(id)

    const receipt = await receiptOf(await add(id, Array(150).fill({ latitude: 1 }), LENIENT))

    assert.deepEqual([receipt.received, receipt.rejected_count, receipt.rejected.length], [150, 150, 100])
    assert.deepEqual(await tracks.read(id), before)
  })

  test('handling=lenient reads large bodies in a thread to the same receipt', async () => {
    const id = await tracks.create()
    const points: object[] = makePoints(6000)
    points[5999] = { ...points[5999], battery: 2 }

    const receipt = await receiptOf(await add(id, points, LENIENT))

    assert.deepEqual(
      [receipt.stored, receipt.rejected],
      [5999, [{ index: 5999, errors: [{ path: 'battery', message: 'must be <= 1' }] }]],
    )
  })

  test('handling=lenient still refuses what is not JSON, has no list of points, or has too many', async () => {
    const id = await tracks.create()
    const path = `/tracks/${id}/points`

    for (const body of [{}, { points: {} }, { points: makePoints(10_001) }]) {
      assert.deepEqual(await wrongPlaces(await service.request('POST', path, body, LENIENT)), ['points'])
    }
    assert.deepEqual(await wrongPlaces(await service.request('POST', path, [], LENIENT)), [''])
    await readProblem(
      await fetch(service.url + path, {
        method: 'POST',
        headers: { ...LENIENT, 'X-API-Key': service.token, 'Content-Type': 'application/json' },
        body: '{"points":[',
      }),
      400,
      'BAD_REQUEST',
    )
  })

  test('handling=lenient answers 404 for a track that does not exist, also if every point is left out', async () => {
    for (const points of [makePoints(1), [{}]]) {
      await readProblem(await add(randomUUID(), points, LENIENT), 404, 'NOT_FOUND')
    }
  })

  test('return=representation is strict, with a receipt', async () => {
    const id = await tracks.create()
    const points = makePoints(10)
    await tracks.add(id, points.slice(0, 4))

    const response = await add(id, points, RECEIPT)
    const refused = await add(id, [...points, {}], RECEIPT)

    assert.equal(response.headers.get('preference-applied'), 'return=representation')
    assert.deepEqual(await receiptOf(response), {
      received: 10,
      stored: 6,
      known: 4,
      rejected_count: 0,
      rejected: [],
    })
    await readProblem(refused, 400, 'BAD_REQUEST')
    assert.deepEqual((await receiptOf(await add(id, [], RECEIPT))).received, 0)
  })

  test('handling=lenient with return=minimal answers 204', async () => {
    const id = await tracks.create()

    const response = await add(id, [...makePoints(2), {}], { Prefer: 'return=minimal, handling=lenient' })

    assert.equal(response.status, 204)
    assert.equal(await response.text(), '')
    assert.equal(response.headers.get('preference-applied'), 'handling=lenient, return=minimal')
    assert.equal((await tracks.read(id)).points_count, 2)
  })

  test('other preferences change nothing', async () => {
    const id = await tracks.create()
    for (const Prefer of ['handling=strict', 'return=minimal', 'respond-async', 'handling', 'x"']) {
      const response = await add(id, makePoints(1), { Prefer })

      assert.deepEqual([response.status, response.headers.get('preference-applied')], [204, null], Prefer)
    }
  })

  test('receipts add up to what is stored, however the same points arrive in parallel', async () => {
    const id = await tracks.create()
    const points = makePoints(600)
    const instances = [service, another]
    const batches = Array.from({ length: 40 }, (_, i) => points.slice((i % 13) * 40, (i % 13) * 40 + 120))
    batches.push(points, [...points].reverse(), points)

    const receipts = await Promise.all(
      batches.map(async (batch, i) =>
        receiptOf(
          await instances[i % 2].request(
            'POST',
            `/tracks/${id}/points`,
            { points: batch },
            { ...(i % 3 === 0 ? LENIENT : RECEIPT), 'X-API-Key': service.token },
          ),
        ),
      ),
    )

    for (const [i, { received }] of receipts.entries()) assert.equal(received, batches[i].length)
    const stored = receipts.reduce((sum, receipt) => sum + receipt.stored, 0)
    assert.equal(stored, 600)
    assert.equal((await tracks.read(id)).points_count, 600)
  })

  test('copies within a request count as stored as often as they are stored', async () => {
    const [point] = makePoints(1)
    const id = await tracks.create()

    const first = await receiptOf(await add(id, [point, point], RECEIPT))
    const second = await receiptOf(await add(id, [point, point, point], RECEIPT))

    assert.deepEqual([first.stored, second.stored, second.known], [2, 1, 2])
    assert.equal((await tracks.read(id)).points_count, 3)
  })

  test('on /sync the receipt stands under points, and the status stays 201', async () => {
    const body = () => ({
      track: { device_track_id: randomUUID() },
      points: [...makePoints(3), { latitude: 91, longitude: 0, timestamp: '2026-05-03T06:15:00Z' }],
    })

    const strict = await service.request('POST', '/sync', body(), RECEIPT)
    const lenient = await service.request('POST', '/sync', body(), LENIENT)
    const minimal = await service.request('POST', '/sync', body(), { Prefer: 'handling=lenient, return=minimal' })

    assert.deepEqual(await wrongPlaces(strict), ['points/3/latitude'])
    assert.deepEqual([lenient.status, lenient.headers.get('preference-applied')], [201, 'handling=lenient'])
    const answer = (await lenient.json()) as { track_id: string; points: Receipt }
    assert.deepEqual(answer.points, {
      received: 4,
      stored: 3,
      known: 0,
      rejected_count: 1,
      rejected: [{ index: 3, errors: [{ path: 'latitude', message: 'must be <= 90' }] }],
    })
    assert.deepEqual((await tracks.points(answer.track_id)).points, makePoints(3))
    assert.equal(minimal.status, 201)
    assert.deepEqual(Object.keys((await minimal.json()) as object), ['track_id'])
  })

  test('on /sync a lenient request still needs a valid track, and one without a valid point makes an empty track', async () => {
    const refused = await service.request('POST', '/sync', { track: {}, points: [{}] }, LENIENT)
    const taken = await service.request(
      'POST',
      '/sync',
      { track: { device_track_id: randomUUID(), start_ts: '2026-05-03T08:15:00Z' }, points: [{}] },
      LENIENT,
    )

    assert.deepEqual(await wrongPlaces(refused), ['track/device_track_id'])
    const { track_id, points } = (await taken.json()) as { track_id: string; points: Receipt }
    assert.deepEqual([points.received, points.rejected_count], [1, 1])
    assert.equal(((await tracks.points(track_id)) as WirePointList).count, 0)
  })

  test('on /sync the same Idempotency-Key returns the first receipt again', async () => {
    const headers = { ...LENIENT, 'Idempotency-Key': randomUUID() }
    const body = { track: { device_track_id: randomUUID() }, points: [...makePoints(2), {}] }

    const first = await (await service.request('POST', '/sync', body, headers)).json()
    const again = await service.request('POST', '/sync', body, headers)

    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(await again.json(), first)
  })
})
