import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTracks } from '../support/describe-service.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'

describeTracks('POST /tracks', async ({ service, tracks }) => {
  test('answers 201 with the id and the device_track_id', async () => {
    const response = await service.request('POST', '/tracks', { device_track_id: 'watch-1' })

    assert.equal(response.status, 201)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    const { id, ...rest } = (await response.json()) as { id: string }
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    assert.deepEqual(rest, { device_track_id: 'watch-1' })
  })

  test('stores every field as sent', async () => {
    const fields = {
      device_track_id: 'watch-2',
      title: '  Tour du lac \u{1f6b4} ',
      activity_type: 'bike',
      start_ts: '2026-05-03T08:15:30.250+02:00',
      user_id: ' Léa ',
      image_url: 'https://pictures.example/lac.jpg?size=2#top',
    }

    const id = await tracks.create(fields)

    const { created_at, updated_at, stats, ...track } = await tracks.read(id)
    assert.deepEqual(track, {
      id,
      ...fields,
      state: 'running',
      start_ts: '2026-05-03T06:15:30.250Z',
      end_ts: null,
      points_count: 0,
    })
  })

  test('needs only a device_track_id, and creates a running run that starts now with a generated title', async () => {
    const beforeMs = Date.now()

    const track = await tracks.read(await tracks.create())

    const startMs = Date.parse(track.start_ts)
    assert.ok(startMs >= beforeMs && startMs <= Date.now())
    assert.equal(track.created_at, track.start_ts)
    assert.equal(track.activity_type, 'run')
    assert.equal(track.state, 'running')
    assert.match(track.title, /^Sortie du \d{1,2} \p{Ll}+ à \d\dh\d\d$/u)
    assert.deepEqual([track.user_id, track.image_url, track.end_ts], [null, null, null])
  })

  test('treats null in an optional field as an absent field', async () => {
    const id = await tracks.create({
      title: null,
      activity_type: null,
      start_ts: null,
      user_id: null,
      image_url: null,
    })

    const track = await tracks.read(id)
    assert.match(track.title, /^Sortie du /)
    assert.equal(track.activity_type, 'run')
    assert.deepEqual([track.user_id, track.image_url], [null, null])
  })

  test('ignores unknown fields and end_ts', async () => {
    const id = await tracks.create({ end_ts: 17, state: 'stopped', id: 'mine', colour: { deep: [1] } })

    const track = await tracks.read(id)
    assert.equal(track.end_ts, null)
    assert.equal(track.state, 'running')
    assert.equal(track.id, id)
    assert.equal('colour' in track, false)
  })

  test('answers 409 with the id of the track that uses the device_track_id', async () => {
    const first = await tracks.create({ device_track_id: 'taken' })

    const second = await service.request('POST', '/tracks', { device_track_id: 'taken', title: 'Another' })

    const problem = await readProblem(second, 409, 'CONFLICT')
    assert.equal(problem.track_id, first)
  })

  test('accepts one of many concurrent requests with the same device_track_id', async () => {
    const requests = Array.from({ length: 12 }, () =>
      service.request('POST', '/tracks', { device_track_id: 'contested' }),
    )

    const answers = await Promise.all(requests)

    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, ...Array(11).fill(409)])
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { id?: string; track_id?: string }[]
    assert.equal(new Set(bodies.map(({ id, track_id }) => id ?? track_id)).size, 1)
  })

  test('distinguishes device_track_ids by every character, and events from each other', async () => {
    const other = await service.createEvent('Other')

    await tracks.create({ device_track_id: 'Case' })
    await tracks.create({ device_track_id: 'case' })
    await tracks.create({ device_track_id: 'case ' })
    await tracks.create({ device_track_id: 'cafe\u0301' })
    await tracks.create({ device_track_id: 'caf\u00e9' })
    const elsewhere = await service.request(
      'POST',
      '/tracks',
      { device_track_id: 'Case' },
      { 'X-API-Key': other.token },
    )

    assert.equal(elsewhere.status, 201)
  })

  test('answers 400 for a body that is not an object', async () => {
    for (const body of [[], 'text', 7, null, true]) {
      assert.deepEqual(await wrongPlaces(await service.request('POST', '/tracks', body)), [''])
    }
  })

  test('answers 400 without a body', async () => {
    const response = await service.request('POST', '/tracks')

    await readProblem(response, 400, 'BAD_REQUEST')
  })
})
