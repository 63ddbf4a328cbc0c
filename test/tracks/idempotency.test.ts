import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'

describeTracks('Idempotency-Key', async ({ service, tracks }) => {
  const create = (key: string, body: object, headers = {}) =>
    service.request('POST', '/tracks', body, { 'Idempotency-Key': key, ...headers })
  const sync = (key: string, body: object) => service.request('POST', '/sync', body, { 'Idempotency-Key': key })

  test('replays the first answer to a repeated POST /tracks, and creates one track', async () => {
    const body = { device_track_id: randomUUID() }

    const first = await create('again', body)
    const second = await create('again', body)

    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(await second.text(), await first.text())
    assert.equal(first.headers.get('idempotency-replayed'), null)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
  })

  test('replays the first answer to a repeated POST /sync, and creates one track', async () => {
    const body = { track: { device_track_id: randomUUID() }, points: makePoints(10) }

    const first = await sync('sync again', body)
    const second = await sync('sync again', body)

    assert.equal(second.status, 201)
    const answer = (await second.json()) as { track_id: string }
    assert.deepEqual(answer, await first.json())
    assert.equal((await tracks.read(answer.track_id)).points_count, 10)
  })

  test('replays the first answer also after the track was changed', async () => {
    const body = { device_track_id: randomUUID() }
    const { id } = (await (await create('changed', body)).json()) as { id: string }

    await service.request('PATCH', `/tracks/${id}`, { title: 'Another' })

    assert.equal(((await (await create('changed', body)).json()) as { id: string }).id, id)
  })

  test('answers 422 if the body differs by a byte', async () => {
    const body = { device_track_id: randomUUID(), title: 'One' }
    await create('other body', body)

    await readProblem(await create('other body', { ...body, title: 'Two' }), 422, 'UNPROCESSABLE')
    await readProblem(
      await create('other body', { title: 'One', device_track_id: body.device_track_id }),
      422,
      'UNPROCESSABLE',
    )
  })

  test('ignores the compression of the body', async () => {
    const body = { device_track_id: randomUUID() }
    const first = await create('compressed', body)

    const second = await fetch(`${service.url}/tracks`, {
      method: 'POST',
      headers: {
        'X-API-Key': service.token,
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        'Idempotency-Key': 'compressed',
      },
      body: new Uint8Array(gzipSync(JSON.stringify(body))),
    })

    assert.deepEqual(await second.json(), await first.json())
  })

  test('separates the keys of endpoints and of events', async () => {
    const other = await service.createEvent('Other')
    const device_track_id = randomUUID()

    const created = await create('shared', { device_track_id })
    const synced = await sync('shared', { track: { device_track_id: randomUUID() }, points: [] })
    const elsewhere = await create('shared', { device_track_id, title: 'Else' }, { 'X-API-Key': other.token })

    assert.deepEqual([created.status, synced.status, elsewhere.status], [201, 201, 201])
  })

  test('gives concurrent requests one answer', async () => {
    const body = { track: { device_track_id: randomUUID() }, points: makePoints(2000) }

    const answers = await Promise.all(Array.from({ length: 10 }, () => sync('at once', body)))

    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(10).fill(201),
    )
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    assert.equal(new Set(bodies).size, 1)
  })

  test('answers 422 to all but one of concurrent requests with different bodies', async () => {
    const bodies = Array.from({ length: 6 }, () => ({ device_track_id: randomUUID() }))

    const answers = await Promise.all(bodies.map((body) => create('contested', body)))

    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(5).fill(422)])
  })

  test('forgets the answer with the deleted track, and does not create the track again', async () => {
    const body = { device_track_id: randomUUID(), title: 'Forgotten' }
    const { id } = (await (await create('forgotten', body)).json()) as { id: string }

    await service.asManager('DELETE', `/tracks/${id}`)

    await readProblem(await create('forgotten', body), 410, 'GONE')
    await readProblem(await create('forgotten', { device_track_id: randomUUID() }), 422, 'UNPROCESSABLE')
  })

  test('does not remember failures', async () => {
    const device_track_id = randomUUID()
    const holder = await tracks.create({ device_track_id })

    const invalid = await create('failed', { device_track_id: '' })
    const taken = await create('failed', { device_track_id })
    await service.asManager('DELETE', `/tracks/${holder}`)
    const free = await create('failed', { device_track_id })

    assert.deepEqual([invalid.status, taken.status, free.status], [400, 409, 201])
  })

  test('accepts keys of 1 to 255 characters', async () => {
    const longest = 'k'.repeat(255)

    assert.equal((await create('k', { device_track_id: randomUUID() })).status, 201)
    assert.equal((await create(longest, { device_track_id: randomUUID() })).status, 201)
    for (const key of [`${longest}k`, '']) {
      assert.deepEqual(await wrongPlaces(await create(key, { device_track_id: randomUUID() })), ['Idempotency-Key'])
      const synced = await sync(key, { track: { device_track_id: randomUUID() }, points: [] })
      assert.deepEqual(await wrongPlaces(synced), ['Idempotency-Key'])
    }
  })

  test('answers 409 to a repeated body without a key', async () => {
    const body = { device_track_id: randomUUID() }

    const statuses = [await service.request('POST', '/tracks', body), await service.request('POST', '/tracks', body)]

    assert.deepEqual(
      statuses.map(({ status }) => status),
      [201, 409],
    )
  })
})
