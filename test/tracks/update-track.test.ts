import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { wrongPlaces } from '../support/problem.ts'

const STATES = ['running', 'paused', 'stopped']

describeTracks('PATCH /tracks/:id', async ({ service, tracks }) => {
  test('answers 200 with the whole changed track', async () => {
    const id = await tracks.create({ start_ts: '2026-05-03T06:00:00Z' })
    await tracks.add(id, makePoints(3))

    const response = await service.request('PATCH', `/tracks/${id}`, {
      title: 'Côte de la Bûche \u{1f3d4}',
      state: 'paused',
      end_ts: '2026-05-03T09:00:00+02:00',
    })

    assert.equal(response.status, 200)
    const changed = (await response.json()) as Record<string, unknown>
    assert.deepEqual(changed, await tracks.read(id))
    assert.equal(changed.title, 'Côte de la Bûche \u{1f3d4}')
    assert.equal(changed.state, 'paused')
    assert.equal(changed.end_ts, '2026-05-03T07:00:00.000Z')
  })

  test('leaves absent, null and blank fields unchanged', async () => {
    const id = await tracks.create({ title: 'Kept' })
    await tracks.update(id, { state: 'paused', end_ts: '2099-01-01T00:00:00Z' })

    const changed = await tracks.update(id, { title: '\t \u3000', state: null, end_ts: null, activity_type: 'bike' })

    assert.equal(changed.title, 'Kept')
    assert.equal(changed.state, 'paused')
    assert.equal(changed.end_ts, '2099-01-01T00:00:00.000Z')
    assert.equal(changed.activity_type, 'run')
  })

  test('changes nothing for an empty or absent body, not even updated_at', async () => {
    const id = await tracks.create()
    const before = await tracks.read(id)

    const answers = [
      await service.request('PATCH', `/tracks/${id}`, {}),
      await service.request('PATCH', `/tracks/${id}`, { title: '', unknown: 1 }),
      await service.request('PATCH', `/tracks/${id}`),
      await service.request('PATCH', `/tracks/${id}`, undefined, { 'Content-Type': 'application/json' }),
    ]

    for (const answer of answers) assert.deepEqual(await answer.json(), before)
  })

  test('changes updated_at with every change', async () => {
    const id = await tracks.create()
    const times = [(await tracks.read(id)).updated_at]

    for (const change of [{ title: 'A' }, { state: 'paused' }, { end_ts: '2099-01-01T00:00:00Z' }]) {
      times.push((await tracks.update(id, change)).updated_at)
    }

    assert.deepEqual(times, [...new Set(times)].sort())
  })

  test('accepts any state after any other', async () => {
    for (const from of STATES) {
      for (const to of STATES) {
        const id = await tracks.create()
        await tracks.update(id, { state: from })

        assert.equal((await tracks.update(id, { state: to })).state, to)
      }
    }
  })

  test('sets no end when a track is stopped', async () => {
    const id = await tracks.create()

    assert.equal((await tracks.update(id, { state: 'stopped' })).end_ts, null)
  })

  test('accepts an end_ts equal to the start and answers 400 for one before it', async () => {
    const id = await tracks.create({ start_ts: '2026-05-03T06:00:00.001Z' })

    const atStart = await tracks.update(id, { end_ts: '2026-05-03T06:00:00.001Z' })
    const before = await service.request('PATCH', `/tracks/${id}`, { title: 'No', end_ts: '2026-05-03T06:00:00Z' })

    assert.equal(atStart.end_ts, '2026-05-03T06:00:00.001Z')
    assert.deepEqual(await wrongPlaces(before), ['end_ts'])
    assert.deepEqual(await tracks.read(id), atStart)
  })

  test('answers 400 for invalid values', async () => {
    const id = await tracks.create()
    const wrong = {
      title: ['t'.repeat(501), 5, []],
      state: ['finished', 'Running', '', 1],
      end_ts: ['2026-05-03', 'later', '', 1_777_788_900, '2026-02-30T00:00:00Z'],
    }

    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const response = await service.request('PATCH', `/tracks/${id}`, { [field]: value })

        assert.deepEqual(await wrongPlaces(response), [field], JSON.stringify(value))
      }
    }
    assert.equal((await tracks.update(id, { title: '\u{1f6b5}'.repeat(500) })).title.length, 1000)
  })
})
