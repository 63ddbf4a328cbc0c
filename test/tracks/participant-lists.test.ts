import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type {
  AppTokenList,
  CheckedParticipants,
  ParticipantTokens,
  ParticipantTokensCreated,
  ShownAppToken,
} from '../../src/tracks/api/token-schemas.ts'
import { describeTracks } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'

const DAY_MS = 86_400_000

describeTracks('Tokens for a list of participants', { signedIn: true }, async ({ service, once }) => {
  const pathOf = (eventId: string) => `/operator/events/${eventId}/participant-tokens`

  /** Makes an event of its own, and sends lists to it as a browser does. */
  async function newEvent() {
    const { id } = await service.createEvent('Trail')
    const sendCsv = (csv: string | Uint8Array, query = '') =>
      service.operator.send('POST', `${pathOf(id)}${query}`, Buffer.from(csv), 'text/csv')
    async function created(csv: string, query = '') {
      const response = await sendCsv(csv, query)
      assert.equal(response.status, 201, await response.clone().text())
      return (await response.json()) as ParticipantTokensCreated
    }
    const listed = async () => (await service.answer<ParticipantTokens>(200, 'GET', pathOf(id))).tokens
    return { id, sendCsv, created, listed }
  }

  test('creates one for each line, which works for this person', async () => {
    const event = await newEvent()

    const { tokens, known_count } = await event.created(
      '\ufeffname;user_id;club\r\nBen Dubois;ben@example.org;A\r\n"Martin; Anna";anna@example.org;B\r\n\r\n',
    )

    assert.equal(known_count, 0)
    assert.deepEqual(
      tokens.map(({ label, user_id, permissions, is_first }) => [label, user_id, permissions, is_first]),
      [
        ['Ben Dubois', 'ben@example.org', ['record', 'read'], false],
        ['Martin; Anna', 'anna@example.org', ['record', 'read'], false],
      ],
    )
    const headers = { 'X-API-Key': tokens[1].token! }
    const made = await service.request('POST', '/tracks', { device_track_id: randomUUID() }, headers)
    const { id } = (await made.json()) as { id: string }
    const track = await service.request('GET', `/tracks/${id}`, undefined, headers)
    assert.equal(((await track.json()) as { user_id: string }).user_id, 'anna@example.org')
    assert.deepEqual(
      (await event.listed()).map(({ token }) => token),
      tokens.map(({ token }) => token),
    )
  })

  test('reads a start list, a list without a header, tabs, and JSON', async () => {
    const ids = async (csv: string) =>
      (await (await newEvent()).created(csv)).tokens.map(({ user_id, label }) => [user_id, label])

    assert.deepEqual(await ids('bib,name,category\n7,Anna,F\n12,Ben,M\n'), [
      ['7', 'Anna'],
      ['12', 'Ben'],
    ])
    assert.deepEqual(await ids('anna@example.org, Anna Martin\nben@example.org\n'), [
      ['anna@example.org', 'Anna Martin'],
      ['ben@example.org', null],
    ])
    assert.deepEqual(await ids('Dossard\tNom\n7\tÉlodie 🏃\n'), [['7', 'Élodie 🏃']])
    const { id } = await newEvent()
    const body = { participants: [{ user_id: 'anna', name: 'Anna' }, { user_id: 'ben' }] }
    const { tokens } = await service.answer<ParticipantTokensCreated>(201, 'POST', pathOf(id), body)
    assert.deepEqual(
      tokens.map(({ user_id }) => user_id),
      ['anna', 'ben'],
    )
  })

  test('leaves those alone who have a valid token, also if the list is sent twice at once', async () => {
    const event = await newEvent()
    const [first] = (await event.created('anna,Anna')).tokens

    const both = await Promise.all([event.created('anna,Anna\nben,Ben'), event.created('anna,Anna\nben,Ben')])

    assert.deepEqual(both.map(({ tokens }) => tokens.length).sort(), [0, 1])
    assert.deepEqual(both.map(({ known_count }) => known_count).sort(), [1, 2])
    const listed = await event.listed()
    assert.deepEqual(
      listed.map(({ label }) => label),
      ['Anna', 'Ben'],
    )
    assert.equal(listed[0].token, first.token)
  })

  test('gives those a new token whose earlier one was revoked or has ended', async () => {
    const event = await newEvent()
    const [first] = (await event.created('anna')).tokens
    await service.createToken({
      eventId: event.id,
      userId: 'ben',
      permissions: ['read'],
      expiresAtMs: Date.now() - 1,
    })
    await service.answer(204, 'DELETE', `/operator/events/${event.id}/tokens/${first.id}`)

    const { tokens } = await event.created('anna\nben', '?keep_sec=3600')

    assert.deepEqual(
      tokens.map(({ user_id }) => user_id),
      ['anna', 'ben'],
    )
    for (const { expires_at } of tokens) assert.ok(Date.parse(expires_at!) > Date.now() + 3_500_000)
  })

  test('end with the event by default, in lists and one by one, and otherwise as chosen', async () => {
    const event = await newEvent()
    const lastDay = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
    const endsOn = (date: string) => service.answer(200, 'PATCH', `/operator/events/${event.id}`, { ends_on: date })
    const ofList = async (csv: string, query = '') => (await event.created(csv, query)).tokens[0].expires_at
    const one = async (body: object) =>
      (await service.answer<ShownAppToken>(201, 'POST', `/operator/events/${event.id}/tokens`, body)).expires_at
    assert.deepEqual([await ofList('anna'), await one({ user_id: 'anna' })], [null, null])

    await endsOn(lastDay(10))
    const end = new Date(Date.parse(lastDay(11)) + DAY_MS / 2).toISOString()
    assert.deepEqual([await ofList('ben'), await one({ user_id: 'ben', keep_sec: null })], [end, end])
    assert.deepEqual([await ofList('carla', '?never_expires=true'), await one({})], [null, null])
    assert.equal(await one({ user_id: 'carla', never_expires: true }), null)
    assert.ok(Math.abs(Date.parse((await one({ user_id: 'carla', keep_sec: 60 }))!) - Date.now()) < 120_000)
    assert.equal((await event.listed()).find(({ user_id }) => user_id === 'anna')?.expires_at, null)

    await endsOn(lastDay(-10))
    assert.ok(Date.parse((await one({ user_id: 'dora' }))!) > Date.now() + DAY_MS - 120_000)
    for (const [path, body] of [
      [`/operator/events/${event.id}/tokens`, { user_id: 'a', keep_sec: 60, never_expires: true }],
      [`${pathOf(event.id)}?keep_sec=60&never_expires=true`, { participants: [{ user_id: 'a' }] }],
    ] as const) {
      const { errors } = await readProblem(await service.request('POST', path, body), 400, 'BAD_REQUEST')
      assert.deepEqual(
        errors!.map((error) => error.path),
        ['keep_sec'],
      )
    }
  })

  test('with check=true answers the list as it was read, and stores nothing', async () => {
    const event = await newEvent()
    await event.created('anna,Anna')

    const response = await event.sendCsv('user_id,name\nanna,Anna\nben,Ben', '?check=true')

    assert.equal(response.status, 200)
    const { participants } = (await response.json()) as CheckedParticipants
    assert.deepEqual(participants, [
      { user_id: 'anna', name: 'Anna', has_token: true },
      { user_id: 'ben', name: 'Ben', has_token: false },
    ])
    assert.equal((await event.listed()).length, 1)
  })

  once('names each wrong line, and stores nothing', async () => {
    const event = await newEvent()
    const wrong: [csv: string | Uint8Array, paths: string[]][] = [
      ['', ['']],
      ['user_id,name\n', ['']],
      ['name\nAnna', ['line 1']],
      ['user_id,user\na,b', ['line 1']],
      [
        `user_id,name\na,Anna\n,Ben\na,Carla\n${'x'.repeat(256)},Dora`,
        ['line 3, user_id', 'line 4, user_id', 'line 5, user_id'],
      ],
      [`user_id,name\na,${'n'.repeat(201)}`, ['line 2, name']],
      ['user_id\n"a', ['line 2']],
      ['user_id,name\na,Zo\ufffd', ['line 2']],
      [Array.from({ length: 5001 }, (_, i) => `runner-${i}`).join('\n'), ['']],
    ]
    for (const [csv, paths] of wrong) {
      const { errors } = await readProblem(await event.sendCsv(csv), 400, 'BAD_REQUEST')
      assert.deepEqual(
        errors!.map(({ path }) => path),
        paths,
      )
    }
    const body = { participants: [{ user_id: 'a' }, { user_id: '' }, { user_id: 'a', name: 7 }] }
    await readProblem(await service.request('POST', pathOf(event.id), body), 400, 'BAD_REQUEST')
    assert.deepEqual(await event.listed(), [])
  })

  once('takes 5,000 people at once, whose list stays masked', async () => {
    const event = await newEvent()

    const { tokens } = await event.created(Array.from({ length: 5000 }, (_, i) => `runner-${i},Runner ${i}`).join('\n'))

    assert.equal(new Set(tokens.map(({ token }) => token)).size, 5000)
    const { tokens: masked } = await service.answer<AppTokenList>(200, 'GET', `/operator/events/${event.id}/tokens`)
    assert.equal(masked.length, 5001)
    assert.ok(!JSON.stringify(masked).includes(tokens[0].token!))
    assert.deepEqual(
      (await event.listed()).slice(0, 3).map(({ label }) => label),
      ['Runner 0', 'Runner 1', 'Runner 2'],
    )
  })

  test('answers 404 for an unknown event', async () => {
    for (const id of [randomUUID(), 'none']) {
      await readProblem(await service.request('GET', pathOf(id)), 404, 'NOT_FOUND')
      await readProblem(
        await service.request('POST', pathOf(id), { participants: [{ user_id: 'a' }] }),
        404,
        'NOT_FOUND',
      )
    }
  })

  test('a token of one person never has manage', async () => {
    const path = `/operator/events/${service.eventId}/tokens`
    const body = { user_id: 'anna', permissions: ['read', 'manage'] }

    const { errors } = await readProblem(await service.request('POST', path, body), 400, 'BAD_REQUEST')

    assert.deepEqual(
      errors!.map((error) => error.path),
      ['permissions'],
    )
    for (const wrong of [{ permissions: [] }, { permissions: ['write'] }, { user_id: '' }, { keep_sec: 0 }]) {
      await readProblem(await service.request('POST', path, wrong), 400, 'BAD_REQUEST')
    }
  })
})
