import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import type { Upkeep } from '../../src/operator/dashboard/routes.ts'
import type { ErasurePreview, ErasureReceipt, ErasureReceiptList } from '../../src/tracks/erasure/schemas.ts'
import { tracksLayout } from '../../src/tracks/model/tables.ts'
import { keptSinceMs } from '../../src/tracks/model/track-state.ts'
import type { CheckpointList } from '../../src/tracks/race/schemas.ts'
import { eventually } from '../support/becomes.ts'
import { databases, type TestDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { signIn } from '../support/sign-in.ts'
import { type StartedService, startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

/** Part of everything that is known of the person. Text is folded for the search, so it is in lower case. */
const WORD = 'xylophag'
const USER = `${WORD}:1@example.org`
const DAY_MS = 86_400_000

/** The tables that name a person of whom everything is known. */
const TABLES_WITH_WORD = [
  'app_tokens',
  'device_tracks',
  'idempotency_keys',
  'runner_times',
  'runners',
  'shares',
  'track_details',
  'tracks',
  'webhook_deliveries',
]

/**
 * Columns that hold, or may hold, something about a recorded person. `storage/erasure/personal-rows.ts`
 * erases their rows, but for the two below.
 */
const PERSONAL_COLUMNS = [
  'app_tokens.label',
  'app_tokens.user_id',
  'binned_tracks.row',
  'binned_tracks.user_id',
  'chunks.bytes',
  'device_tracks.device_track_id',
  'idempotency_keys.answer',
  'phone_devices.device_key',
  'phone_recordings.device_key',
  'runner_times.user_id',
  'runners.bib',
  'runners.name',
  'runners.user_id',
  'shares.label',
  'tracks.device_track_id',
  'tracks.search_text',
  'tracks.title',
  'track_details.image_url',
  'tracks.user_id',
  'webhook_deliveries.payload',
  // Null once the erasure has ended, and an HMAC.
  'erasures.user_id',
  'erasures.person_mac',
]

/** Columns whose names suggest the same, and that are about something else. */
const IMPERSONAL_COLUMNS = ['events.name', 'migrations.name', 'races.course_name']

describeOn(databases, 'the erasure of a person', (database) => {
  test('leaves nothing of them in any table or file, and everything of others', async (t) => {
    const { service, dataDir } = await arrange(t, database)
    const made = await recordEverything(t, service)
    const all = { user_id: USER }
    const { events, ...preview } = await service.answer<ErasurePreview>(200, 'POST', '/operator/erasures/preview', all)
    const untouched = await findText(service, WORD)

    const receipt = await service.answer<ErasureReceipt>(201, 'POST', '/operator/erasures', all)

    assert.deepEqual([preview.tracks, preview.points], [3, 30])
    assert.deepEqual(events.map(({ event_id }) => event_id).sort(), [...preview.event_ids].sort())
    assert.equal(
      events.reduce((sum, { tracks }) => sum + tracks, 0),
      3,
    )
    assert.deepEqual([...preview.event_ids].sort(), [service.eventId, made.otherEventId].sort())
    assert.deepEqual(untouched.sort(), TABLES_WITH_WORD)
    assert.deepEqual(
      { ...receipt.erased, tables: sorted(receipt.erased.tables) },
      {
        ...preview,
        tables: sorted(preview.tables),
      },
    )
    for (const table of [...TABLES_WITH_WORD, 'phone_recordings', 'phone_devices', 'chunks'])
      assert.ok(
        preview.tables.some((each) => each.table === table),
        table,
      )
    assert.deepEqual([receipt.kind, receipt.event_id], ['person', null])
    assert.ok(receipt.finished_at !== null && receipt.requested_by !== null)
    assert.deepEqual(await findText(service, WORD), [])
    assert.ok(!JSON.stringify(receipt).includes(WORD))
    if (dataDir !== '') assert.deepEqual(filesWith(dataDir, WORD), [])

    // Others, and the event, are as they were; what belonged to the person is gone.
    assert.equal((await service.request('GET', `/tracks/${made.bob}`)).status, 200)
    assert.equal((await service.request('GET', `/tracks/${made.mine}`)).status, 404)
    assert.equal((await service.request('GET', '/tracks', undefined, { 'X-API-Key': made.token })).status, 401)
    assert.equal((await fetch(`${service.url}/shares/${made.shareToken}`)).status, 404)
    const again = await service.answer<ErasurePreview>(200, 'POST', '/operator/erasures/preview', all)
    assert.deepEqual([again.tracks, again.tables, again.event_ids], [0, [], []])
    const messages = await made.receiver.until(made.receiver.received.length)
    assert.ok(messages.length > 0)
  })

  test('stays in one event if asked to, and the receipt proves whose it was', async (t) => {
    const { service } = await arrange(t, database)
    const other = await service.createEvent('Another')
    const phone = trackRequests(service.request)
    const elsewhere = trackRequests((method, path, json) =>
      service.request(method, path, json, { 'X-API-Key': other.token }),
    )
    const mine = await phone.create({ user_id: USER })
    const kept = await elsewhere.create({ user_id: USER })
    const request = { user_id: USER, event_id: service.eventId }

    const receipt = await service.answer<ErasureReceipt>(201, 'POST', '/operator/erasures', request)

    assert.equal((await service.request('GET', `/tracks/${mine}`)).status, 404)
    assert.equal((await elsewhere.read(kept)).user_id, USER)
    const path = `/operator/erasures/${receipt.id}`
    assert.deepEqual(await service.answer(200, 'GET', path), receipt)
    const verify = (user_id: string) => service.answer(200, 'POST', `${path}/verify`, { user_id })
    assert.deepEqual(await verify(USER), { matches: true })
    assert.deepEqual(await verify(`${USER}m`), { matches: false })
    const second = await service.answer<ErasureReceipt>(201, 'POST', '/operator/erasures', request)
    assert.notEqual(second.person, receipt.person)
    const page = await service.answer<ErasureReceiptList>(200, 'GET', '/operator/erasures?limit=1')
    const next = `/operator/erasures?limit=1&cursor=${page.next_cursor}`
    const { erasures, next_cursor } = await service.answer<ErasureReceiptList>(200, 'GET', next)
    assert.deepEqual([page.erasures[0]!.id, erasures[0]!.id, next_cursor].sort(), [second.id, receipt.id, null].sort())
    const nowhere = { user_id: USER, event_id: '5d0c7a5e-9a53-4c1c-8d70-0c7f2f0a9b11' }
    await readProblem(await service.request('POST', '/operator/erasures', nowhere), 404, 'NOT_FOUND')
    await readProblem(await service.request('GET', `${path}0`), 404, 'NOT_FOUND')
  })

  test('is continued after an interruption, and counts once what several instances erase together', async (t) => {
    const { service } = await arrange(t, database)
    const phone = trackRequests(service.request)
    for (let i = 0; i < 60; i++) await phone.create({ user_id: USER })
    const bob = await phone.create({ user_id: 'bob' })
    const { erasures, erasuresStore } = service.server.tracks!.deps

    // Written down, and then the process ends.
    const { id } = await erasures.begin({ userId: USER, eventId: null }, null)
    const other = await service.startAnother()
    await Promise.all([erasures.carryOut(id), other.server.tracks!.deps.erasures.carryOut(id)])
    const ended = await untilFinished(() => erasuresStore.find(id))

    const { tables } = JSON.parse(ended.erased) as { tables: Record<string, number> }
    assert.deepEqual([tables.tracks, tables.device_tracks, ended.user_id], [60, 60, null])
    assert.equal((await phone.read(bob)).user_id, 'bob')
    const interrupted = await erasures.begin({ userId: 'bob', eventId: null }, null)
    await service.startAnother()
    await untilFinished(() => erasuresStore.find(interrupted.id))
    assert.equal((await service.request('GET', `/tracks/${bob}`)).status, 404)
  })
})

describeOn(databases, 'the retention of an event', (database) => {
  test('erases tracks some days after their end, and leaves a receipt of the day', async (t) => {
    const clock = { nowMs: Date.now() }
    const { service } = await arrange(t, database, () => clock.nowMs)
    const phone = trackRequests(service.request)
    const path = `/operator/events/${service.eventId}`
    const [old, open] = [await recordTrack(phone, clock.nowMs), await phone.create({})]
    clock.nowMs += 3 * DAY_MS
    const recent = await recordTrack(phone, clock.nowMs - 10_000)
    // An old recording that arrives today is kept from today.
    const late = await recordTrack(phone, clock.nowMs - 30 * DAY_MS)
    const count = async () => (await service.answer<{ tracks_count: number }>(200, 'GET', path)).tracks_count

    await service.startAnother()
    assert.equal(await count(), 4)
    const owner = await signIn(service)
    const change = { retention_days: 2, accepted_erasures: 2 }
    assert.equal((await owner.request('PATCH', path, change)).status, 200)
    // Two servers of one process share the thread that writes to SQLite, so one of them would wait for the other in
    // vain.
    const started = service.startAnother()
    if (database.name === 'SQLite') await started
    await Promise.all([started, service.startAnother()])
    await eventually('two of four tracks are left', async () => (await count()) <= 2)

    for (const [id, status] of [
      [old, 404],
      [open, 404],
      [recent, 200],
      [late, 200],
    ] as const)
      assert.equal((await service.request('GET', `/tracks/${id}`)).status, status)
    const { erasures } = await service.answer<ErasureReceiptList>(200, 'GET', '/operator/erasures')
    assert.deepEqual(
      erasures.map(({ kind, event_id, person, erased }) => [kind, event_id, person, erased.tracks, erased.points]),
      [['retention', service.eventId, null, 2, 10]],
    )
    await readProblem(await service.request('PATCH', path, { retention_days: 0 }), 400, 'BAD_REQUEST')
  })

  test('erases nothing after the clock jumped, until it is right again or an owner confirms it', async (t) => {
    const clock = { nowMs: Date.now() }
    const { service } = await arrange(t, database, () => clock.nowMs)
    const path = `/operator/events/${service.eventId}`
    await recordTrack(trackRequests(service.request), clock.nowMs)
    await service.answer(200, 'PATCH', path, { retention_days: 1 })
    const count = async () => (await service.answer<{ tracks_count: number }>(200, 'GET', path)).tracks_count
    const { clock: maintenanceClock, run } = service.server.tracks!.maintenance
    const rightMs = clock.nowMs

    clock.nowMs += 3650 * DAY_MS
    run()
    await eventually('deletions are held', () => maintenanceClock.hold !== undefined)
    clock.nowMs = rightMs
    const held = await service.answer<Upkeep>(200, 'GET', '/operator/upkeep')
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    assert.equal(await count(), 1)
    assert.equal(await maintenanceClock.mayDelete(), true, 'the clock is right again')

    clock.nowMs += 2 * DAY_MS
    assert.equal(await maintenanceClock.mayDelete(), false, 'all of an event is old at once')
    clock.nowMs = rightMs
    await service.answer(204, 'POST', '/operator/upkeep/confirm')
    assert.equal(maintenanceClock.hold, undefined)
    clock.nowMs += 2 * DAY_MS
    await maintenanceClock.confirm()
    await eventually('no track is left', async () => {
      if ((await count()) === 0) return true
      // The run that the confirmation began may go on, with the time at which it began.
      run()
    })

    assert.deepEqual(
      held.held.map(({ service: name, overdue }) => [name, overdue]),
      [['tracks', 1]],
    )
    assert.match(metrics, /^tracks_deletions_held 1$/m)
  })
})

test('the days of a track count from its end, its arrival, or its last change if its clock is ahead', () => {
  const track = { id: '', device_track_id: '', user_id: null, point_count: 0, start_ms: 5, created_at: 10 }

  assert.equal(keptSinceMs({ ...track, updated_at: 90, end_ms: 50, last_point_ms: 40 }), 50)
  assert.equal(keptSinceMs({ ...track, updated_at: 90, end_ms: null, last_point_ms: 40 }), 40)
  assert.equal(keptSinceMs({ ...track, updated_at: 90, end_ms: null, last_point_ms: null }), 10)
  assert.equal(keptSinceMs({ ...track, updated_at: 90, end_ms: 4_000_000, last_point_ms: null }), 90)
})

test('every column that may be about a person is known to the erasure', async (t) => {
  const [database] = databases
  if (database.name !== 'SQLite') return t.skip('the columns are the same')
  const { server } = await startService(t, database, { services: ['tracks'] })
  const suggestive = /user|person|device|name|label|title|bib|text|payload|answer|image|latitude|longitude|bytes/
  const { rows } = await sql<{ table: string; column: string }>`select m.name as "table", c.name as "column"
    from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'`.execute(
    server.tracks!.deps.database.db,
  )
  const found = rows.filter(({ column }) => suggestive.test(column)).map(({ table, column }) => `${table}.${column}`)

  const known = [...PERSONAL_COLUMNS, ...IMPERSONAL_COLUMNS]
  assert.deepEqual(
    found.filter((name) => !known.includes(name)),
    [],
    'Erase these columns in src/tracks/erasure/erase-tracks.ts, or list them here',
  )
})

async function arrange(t: TestContext, database: TestDatabase, now?: () => number) {
  let dataDir = ''
  const open: TestDatabase['open'] = async (owner) => {
    const address = await database.open(owner)
    dataDir = address.dataDir
    return address
  }
  const service = await startService(
    t,
    { ...database, open },
    {
      ...{ services: ['tracks'], signedIn: true, settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } },
      ...(now === undefined ? {} : { now }),
    },
  )
  return { service: service as unknown as StartedService, dataDir }
}

/** Records everything that can be known of a person, and something of another one. */
async function recordEverything(t: TestContext, service: StartedService) {
  const { eventId, answer, request } = service
  const receiver = await startWebhookReceiver(t)
  const event = `/operator/events/${eventId}`
  await answer(201, 'POST', `${event}/webhooks`, { url: receiver.url })
  const list = `user_id,bib,name\n${USER},7,${WORD} Quibble\nbob,8,Bob\n`
  assert.equal((await service.operator.send('PUT', `${event}/runners`, list, 'text/csv')).status, 200)
  await service.operator.send('PUT', `${event}/course`, makeGpx(LAKE), 'application/gpx+xml')
  const { checkpoints } = await answer<CheckpointList>(200, 'GET', `${event}/checkpoints`)
  const time = '2026-05-03T09:12:31Z'
  await answer(200, 'PATCH', `${event}/times`, { bib: '7', checkpoint_id: checkpoints[0].id, time })
  const grant = { permissions: ['record', 'read'], userId: USER, label: `${WORD} Quibble` } as const
  const token = await service.createToken(grant)
  const asPerson = trackRequests((method, path, json, headers) =>
    request(method, path, json, { ...headers, 'X-API-Key': token }),
  )
  const fields = { device_track_id: `${WORD}-phone`, title: `${WORD} walks`, image_url: `https://example.org/${WORD}` }
  const key = { 'X-API-Key': token, 'Idempotency-Key': WORD }
  const created = await request('POST', '/tracks', fields, key)
  const { id: mine } = (await created.json()) as { id: string }
  await asPerson.add(mine, makePoints(10))
  await asPerson.finish(mine)
  const share = await answer<{ url: string }>(201, 'POST', `${event}/shares`, { track_id: mine, label: WORD })
  const fixes = [...Array(10).keys()].map((i) => `id=${WORD}&lat=45.9&lon=6.8${i}&timestamp=${1_777_788_900 + i * 10}`)
  for (const query of fixes) assert.equal((await fetch(`${service.url}/in/${token}/osmand?${query}`)).status, 200)
  const other = await service.createEvent('Another')
  const elsewhere = trackRequests((method, path, json) => request(method, path, json, { 'X-API-Key': other.token }))
  await elsewhere.add(await elsewhere.create({ user_id: USER }), makePoints(10))
  const bob = await trackRequests(request).create({ user_id: 'bob' })
  await receiver.until(4)
  const shareToken = share.url.slice(share.url.lastIndexOf('/') + 1)
  return { mine, bob, token, shareToken, otherEventId: other.id, receiver }
}

async function recordTrack(phone: ReturnType<typeof trackRequests>, startMs: number): Promise<string> {
  const points = makePoints(10).map((point, i) => ({ ...point, timestamp: new Date(startMs + i * 1000).toISOString() }))
  return await phone.sync({ track: { start_ts: new Date(startMs).toISOString() }, points })
}

/** Returns the tables with a text in any row and column. */
async function findText({ server }: Pick<StartedService, 'server'>, text: string): Promise<string[]> {
  const db = server.tracks!.deps.database.db as unknown as Kysely<Record<string, Record<string, unknown>>>
  const found = []
  for (const table of Object.keys(tracksLayout)) {
    const rows = await db.selectFrom(table).selectAll().execute()
    const texts = rows.flatMap((row) => Object.values(row)).map(asText)
    if (texts.some((value) => value.toLowerCase().includes(text))) found.push(table)
  }
  return found
}

function asText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
}

function filesWith(folder: string, text: string): string[] {
  return globSync('**', { cwd: folder })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile() && readFileSync(file).toString('latin1').toLowerCase().includes(text))
}

function sorted(tables: ErasurePreview['tables']) {
  return tables.toSorted((one, other) => (one.table < other.table ? -1 : 1))
}

async function untilFinished<Row extends { finished_at: number | null }>(
  find: () => Promise<Row | undefined>,
): Promise<Row> {
  return await eventually('the erasure has finished', async () => {
    const row = await find()
    return row !== undefined && row.finished_at !== null && row
  })
}
