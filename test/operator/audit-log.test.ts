import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { AuditRecord, AuditRecordList } from '../../src/operator/audit/schemas.ts'
import { verifyAuditLog } from '../../src/operator/audit/verify-audit-log.ts'
import { OWNER } from '../../src/operator/model/operator-rights.ts'
import type { CheckpointList, Course } from '../../src/tracks/race/schemas.ts'
import type { Browser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { describedOperations, needsSession } from '../support/described-operations.ts'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { PASSWORD, startOperator } from './support/start-operator.ts'

const SERVICES = ['tracks', 'publications', 'dashboard'] as const

describeOn(databases, 'the audit log', async (database, once) => {
  const operator = await startOperator({ after }, database, { services: SERVICES })
  const browser = await operator.signedIn()
  const { audit, auditStore, database: stored } = operator.service.deps
  const { db } = stored

  /** Returns the records of a search, when what was under way has been written. */
  async function records(query = '', as: Browser = browser): Promise<AuditRecord[]> {
    await audit.flush()
    return (await answered<AuditRecordList>(200, as.request('GET', `/operator/audit?${query}`))).records
  }

  async function createEvent(name: string, as = browser): Promise<string> {
    return (await answered<{ id: string }>(201, as.request('POST', '/operator/events', { name }))).id
  }

  once('has a record of every changing request of the operators', async () => {
    const document = await answered<OpenAPIV3_1.Document>(200, fetch(`${operator.url}/openapi.json`))
    const changing = describedOperations(document).filter(
      (operation) => operation.path.startsWith('/operator/') && operation.method !== 'get' && needsSession(operation),
    )

    for (const { path, method, requestBody } of changing) {
      const address = path.replaceAll(/\{\w+\}/g, () => randomUUID())
      await (await browser.request(method.toUpperCase(), address, exampleIn(requestBody))).text()
    }

    const found = new Set((await records('limit=500')).map(({ action }) => action))
    const expected = changing.map(({ operationId }) => operationId)
    assert.ok(expected.length > 40, `${expected.length}`)
    assert.deepEqual(
      expected.filter((id) => !found.has(id)),
      [],
    )
  })

  test('says who was made what, with the role and the limits before', async () => {
    const made = { name: 'Sacha', role: 'viewer' }
    const operator = await answered<{ id: string }>(201, browser.request('POST', '/operator/operators', made))
    const limited_to = { events: [], workspaces: [] }
    const change = { role: 'editor', limited_to }
    await answered(200, browser.request('PATCH', `/operator/operators/${operator.id}`, change))

    const [changed] = await records(`subject=${operator.id}&action=updateOperator`)

    assert.deepEqual(changed.details.changes, {
      role: { from: 'viewer', to: 'editor' },
      limited_to: { from: null, to: limited_to },
    })
  })

  test('says who changed what, with its name at the time, from where, and how it ended', async () => {
    const id = await createEvent('Trail 2026')
    await answered(200, browser.request('PATCH', `/operator/events/${id}`, { name: 'Trail 2027' }))
    await browser.request('DELETE', `/operator/events/${id}`)

    const [deleted, updated, created] = await records(`subject=${id}`)

    assert.deepEqual(
      [deleted.action, updated.action, created.action],
      ['operatorDeleteEvent', 'operatorUpdateEvent', 'operatorCreateEvent'],
    )
    assert.deepEqual(deleted.subject, { kind: 'event', id, name: 'Trail 2027' })
    assert.equal(updated.subject?.name, 'Trail 2026')
    assert.deepEqual(updated.details, {
      fields: ['name'],
      changes: { name: { from: 'Trail 2026', to: 'Trail 2027' } },
    })
    assert.deepEqual(created.result, { id, name: 'Trail 2026' })
    assert.deepEqual([created.outcome, created.status, created.source], ['succeeded', 201, 'dashboard'])
    assert.equal(created.actor?.name, 'operator')
    assert.match(created.address ?? '', /127\.0\.0\.1|::1/)
    assert.ok(created.session_id && created.request_id && created.browser)
  })

  test('names what a thing belongs to, and has the reading of secrets but never a secret', async () => {
    const id = await createEvent('Secrets')
    const { id: tokenId, token } = await answered<{ id: string; token: string }>(
      201,
      browser.request('POST', `/operator/events/${id}/tokens`, { label: 'Phones', permissions: ['read'] }),
    )
    await answered(200, browser.request('GET', `/operator/events/${id}/tokens/${tokenId}`))

    const [shown, made] = await records(`subject=${id}`)

    assert.equal(shown.action, 'operatorGetToken')
    assert.deepEqual(shown.subject, { kind: 'token', id: tokenId, name: 'Phones' })
    assert.deepEqual(shown.within, { kind: 'event', id, name: 'Secrets' })
    assert.equal(made.result?.id, tokenId)
    const { rows } = await sql<object>`select * from audit_log`.execute(db)
    assert.ok(!JSON.stringify(rows).includes(token))
    assert.ok(!JSON.stringify(rows).includes(PASSWORD))
  })

  test('says what programs delete with tokens and keys, and what was there, without a secret', async () => {
    const event = await createEvent('Programs')
    const made = { name: 'Press' }
    const workspace = await answered<{ id: string }>(201, browser.request('POST', '/operator/workspaces', made))
    const token = await answered<{ id: string; token: string }>(
      201,
      browser.request('POST', `/operator/events/${event}/tokens`, {
        label: 'Tidy',
        permissions: ['record', 'manage'],
      }),
    )
    const key = await answered<{ id: string; api_key: string }>(
      201,
      browser.request('POST', `/operator/workspaces/${workspace.id}/keys`, { label: 'Website' }),
    )
    const send = async (secret: string, method: string, path: string, body?: object) =>
      await fetch(operator.url + path, {
        method,
        headers: { 'X-API-Key': secret, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
    const url = 'https://hooks.example.org/secret-path'
    const track = await answered<{ id: string }>(
      201,
      send(token.token, 'POST', '/tracks', { device_track_id: 'of-a-program', title: 'Morning' }),
    )
    const hook = await answered<{ id: string }>(201, send(token.token, 'POST', '/webhooks', { url }))
    await answered(200, send(token.token, 'PATCH', `/webhooks/${hook.id}`, { enabled: false }))
    assert.equal((await send(token.token, 'DELETE', `/webhooks/${hook.id}`)).status, 204)
    assert.equal((await send(token.token, 'DELETE', `/tracks/${track.id}`)).status, 204)
    assert.equal((await send(key.api_key, 'DELETE', '/publications/no-such-slug')).status, 404)

    const found = await records(`subject=${event}`)
    const [track_, removed, changed, created] = found
    assert.deepEqual(
      found.slice(0, 5).map(({ action }) => action),
      ['deleteTrack', 'deleteWebhook', 'updateWebhook', 'createWebhook', 'operatorCreateToken'],
    )
    for (const { source, actor, outcome } of [track_, removed, changed, created])
      assert.deepEqual([source, actor, outcome], ['api', { id: token.id, name: 'Tidy' }, 'succeeded'])
    assert.deepEqual(track_.subject, { kind: 'track', id: track.id, name: null })
    assert.deepEqual(track_.within, { kind: 'event', id: event, name: 'Programs' })
    assert.deepEqual(changed.details.changes, { enabled: { from: true, to: false } })
    assert.deepEqual(removed.details.changes, { host: { from: 'hooks.example.org' }, enabled: { from: false } })
    assert.deepEqual(created.details.changes, { host: { to: 'hooks.example.org' } })
    const [refused] = await records(`subject=${workspace.id}`)
    assert.deepEqual(
      [refused.action, refused.actor?.name, refused.outcome],
      ['deletePublication', 'Website', 'refused'],
    )
    const { rows } = await sql<object>`select * from audit_log`.execute(db)
    for (const secret of [token.token, key.api_key, 'secret-path']) assert.ok(!JSON.stringify(rows).includes(secret))
  })

  test('has the old values of what is changed, and all of what is deleted', async () => {
    const event = await createEvent('Values')
    const path = `/operator/events/${event}`
    const workspace = await answered<{ id: string }>(
      201,
      browser.request('POST', '/operator/workspaces', { name: 'A' }),
    )
    const press = `/operator/workspaces/${workspace.id}`
    const made = async (address: string, body: object) =>
      (await answered<{ id: string }>(201, browser.request('POST', address, body))).id
    const [start, end] = ['2026-05-03T06:00:00.000Z', '2099-01-01T00:00:00.000Z']
    const token = await made(`${path}/tokens`, { label: 'Phones', permissions: ['record'] })
    const personal = await made(`${path}/tokens`, { label: 'Anna Martin', user_id: 'anna' })
    const share = await made(`${path}/shares`, { label: 'Press', expires_at: end })
    const key = await made(`${press}/keys`, { label: 'Site', permissions: ['read'] })
    for (const race_starts_at of [start, null])
      await answered(200, browser.request('PATCH', `${path}/race`, { race_starts_at }))
    await answered(200, browser.request('PATCH', press, { name: 'B', max_publications: 7 }))
    for (const address of [
      `${path}/tokens/${token}`,
      `${path}/tokens/${personal}`,
      `/operator/shares/${share}`,
      `${press}/keys/${key}`,
      press,
    ])
      assert.ok((await browser.request('DELETE', address)).ok, address)

    const changesOf = async (action: string, subject: string) =>
      (await records(`action=${action}&subject=${subject}`))[0].details.changes
    assert.deepEqual(await changesOf('operatorRevokeToken', token), {
      label: { from: 'Phones' },
      permissions: { from: ['record'] },
    })
    assert.deepEqual(await changesOf('operatorRevokeToken', personal), { permissions: { from: ['record', 'read'] } })
    assert.deepEqual(await changesOf('operatorRevokeShare', share), {
      label: { from: 'Press' },
      expires_at: { from: end },
    })
    assert.deepEqual(await changesOf('operatorRevokeKey', key), {
      label: { from: 'Site' },
      permissions: { from: ['read'] },
    })
    assert.deepEqual(await changesOf('operatorUpdateRace', event), { race_starts_at: { from: start, to: null } })
    assert.deepEqual(await changesOf('operatorUpdateWorkspace', workspace.id), {
      name: { from: 'A', to: 'B' },
      max_publications: { from: null, to: 7 },
    })
    assert.deepEqual(await changesOf('operatorDeleteWorkspace', workspace.id), {
      name: { from: 'B' },
      max_publications: { from: 7 },
    })
  })

  test('has the names of checkpoints, the lengths of lists and the sizes of files, and what they replace', async () => {
    const event = await createEvent('Race')
    const path = `/operator/events/${event}`
    const gpx = makeGpx(LAKE)
    const put = async (part: string, body: string, type: string) =>
      await answered<Course>(200, browser.send('PUT', `${path}/${part}`, body, type))
    const { length_m } = await put('course', gpx, 'application/gpx+xml')
    await put('course', gpx, 'application/gpx+xml')
    const { checkpoints } = await answered<CheckpointList>(200, browser.request('GET', `${path}/checkpoints`))
    const east = { name: 'East', kind: 'checkpoint', shape: { type: 'circle', ...LAKE[1], radius_m: 40 } }
    const all = { checkpoints: [checkpoints[0], east, checkpoints[1]] }
    await answered(200, browser.request('PUT', `${path}/checkpoints`, all))
    const runners = ['anna', 'ben'].map((user_id, i) => ({ user_id, bib: `${i}`, name: user_id }))
    await answered(200, browser.request('PUT', `${path}/runners`, { runners }))
    const csv = 'user_id,bib,name\nanna,1,Anna\nben,2,Ben\n'
    await put('runners', csv, 'text/csv')
    assert.equal((await browser.request('DELETE', `${path}/course`)).status, 204)

    const details = (await records(`subject=${event}`)).map((record) => record.details)

    const course = { course_name: 'Around the lake', course_length_m: Math.round(length_m) }
    const [ends, three] = [
      ['Start', 'Finish'],
      ['Start', 'East', 'Finish'],
    ]
    assert.deepEqual(details.slice(0, 6), [
      {
        changes: {
          course_name: { from: course.course_name },
          course_length_m: { from: course.course_length_m },
          checkpoints: { from: three },
        },
      },
      { file_bytes: csv.length, before: { runners_count: 2 } },
      { fields: ['runners'], changes: { runners_count: { from: 0, to: 2 } } },
      { fields: ['checkpoints'], changes: { checkpoints: { from: ends, to: three } } },
      { file_bytes: gpx.length, before: { ...course, checkpoints: ends } },
      { file_bytes: gpx.length },
    ])
  })

  once('has the size of a file, and looks for no fields in its bytes', async () => {
    const event = await createEvent('File')
    const response = await browser.send(
      'POST',
      `/operator/events/${event}/import`,
      Buffer.alloc(30_000_000),
      'application/octet-stream',
    )
    await readProblem(response, 422, 'UNPROCESSABLE')

    const [{ details }] = await records(`subject=${event}`)

    assert.deepEqual(details, { file_bytes: 30_000_000 })
  })

  test('has the download of all tracks of an event', async () => {
    const event = await createEvent('Archive')
    const archive = await browser.request('GET', `/operator/events/${event}/export?format=gpx`)
    assert.equal(archive.status, 200, await archive.text())

    const [exported] = await records(`subject=${event}`)

    assert.deepEqual([exported.action, exported.outcome], ['operatorExportEvent', 'succeeded'])
  })

  test('has a record on disk before the change begins, and refuses a change without one', async () => {
    await db.schema.alterTable('audit_log').renameTo('audit_log_away').execute()

    const refused = await browser.request('POST', '/operator/events', { name: 'Unrecorded' })
    const signedIn = await operator.browser().request('POST', '/operator/session', {
      name: 'operator',
      password: PASSWORD,
    })
    await db.schema.alterTable('audit_log_away').renameTo('audit_log').execute()

    await readProblem(refused, 503, 'UNAVAILABLE')
    await readProblem(signedIn, 503, 'UNAVAILABLE')
    const { events } = await answered<{ events: { name: string }[] }>(200, browser.request('GET', '/operator/events'))
    assert.ok(!events.some(({ name }) => name === 'Unrecorded'))
    await createEvent('Recorded again')
  })

  test('has sign-ins and sign-outs, and counts failures of a minute in one record', async () => {
    const [name, fresh] = [`Camille ${randomUUID()}`, operator.browser()]
    const { link, operator: made } = await operator.service.deps.accounts.create(name, OWNER)
    const token = link.path.split('#token=')[1]
    await answered(200, fresh.request('POST', '/operator/sign-in-link', { token, password: PASSWORD }))
    for (let i = 0; i < 3; i++) {
      await readProblem(
        await fresh.request('POST', '/operator/session', { name, password: 'wrong' }),
        401,
        'UNAUTHORIZED',
      )
    }
    await fresh.request('POST', '/operator/session', { name: 'a password typed here', password: 'wrong' })
    await answered(200, fresh.request('POST', '/operator/session', { name, password: PASSWORD }))
    await fresh.request('DELETE', '/operator/session')

    const own = await records(`operator=${made.id}`)
    const [failure] = await records(`subject=${made.id}&outcome=refused`)

    assert.deepEqual(
      own.map(({ action, outcome }) => [action, outcome]),
      [
        ['signOut', 'succeeded'],
        ['signIn', 'succeeded'],
        ['redeemSignInLink', 'succeeded'],
      ],
    )
    assert.deepEqual([failure.action, failure.status, failure.count], ['signIn', 401, 3])
    const { rows } = await sql<object>`select * from audit_log`.execute(db)
    assert.ok(!JSON.stringify(rows).includes('a password typed here'))
  })

  test('counts refused tokens, keys and addresses, in a bounded number of records', async () => {
    for (let i = 0; i < 30; i++) {
      await fetch(`${operator.url}/tracks`, { headers: { 'X-API-Key': `trk_${i}` } })
      audit.refuse({ source: 'api', action: 'refuseAppToken', address: `192.0.2.${i}`, status: 401 })
    }
    await fetch(`${operator.url}/publications`, { headers: { 'X-API-Key': 'pub_wrong' } })
    await fetch(`${operator.url}/shares/shr_wrong`)
    await fetch(`${operator.url}/files/x?expires=1&key=abcdefgh&signature=${'a'.repeat(43)}`)

    const found = (await records('source=api&limit=100')).filter(({ action }) => action.startsWith('refuse'))
    const [others] = await records('action=refuseOthers')

    const own = found.find(({ action, address }) => action === 'refuseAppToken' && !address?.startsWith('192.'))
    assert.equal(own?.count, 30)
    assert.equal((own.details.sha256_prefixes as string[]).length, 5)
    assert.match(String((own.details.sha256_prefixes as string[])[0]), /^[0-9a-f]{8}$/)
    assert.equal(found.length, 20)
    assert.deepEqual(others.details, {
      actions: { refuseAppToken: 11, refuseApiKey: 1, refuseShare: 1, refuseSignedAddress: 1 },
    })
  })

  test('counts what an operator is refused before it could change anything', async () => {
    const invalid = { name: 7 }
    for (let i = 0; i < 2; i++) await browser.request('POST', '/operator/events', invalid)
    await browser.request('DELETE', '/operator/events/x', undefined, { 'Sec-Fetch-Site': 'cross-site' })

    const [crossSite, refused] = await records('outcome=refused&limit=2')

    assert.deepEqual([crossSite.action, crossSite.status, crossSite.actor], ['operatorDeleteEvent', 403, null])
    assert.deepEqual([refused.action, refused.status, refused.count], ['operatorCreateEvent', 400, 2])
    assert.equal(refused.actor?.name, 'operator')
  })

  test('cannot be changed by statements, whoever sends them', async () => {
    const statements = [
      sql`update audit_log set actor_name = 'nobody' where position = 1`,
      sql`delete from audit_log where position = (select max(position) from audit_log)`,
      sql`delete from audit_log`,
      database.name === 'SQLite'
        ? sql`insert or replace into audit_log (position, at, count, details, previous, hash) values (1, 1, 1, '{}', '', '')`
        : sql`truncate audit_log`,
    ]

    for (const statement of statements) await assert.rejects(statement.execute(db), /append-only/)
  })

  test('is one chain, also of several instances that write at once', async () => {
    // A SQLite database belongs to one server.
    const another = database.name === 'SQLite' ? operator : await operator.startAnother()
    const second = another.browser()
    second.cookie = browser.cookie

    await Promise.all(Array.from({ length: 24 }, (_, i) => createEvent(`Event ${i}`, i % 2 === 0 ? browser : second)))
    await Promise.all([audit.flush(), another.service.deps.audit.flush()])

    const { fault, records: count, head } = await verifyAuditLog(auditStore, undefined)
    assert.equal(fault, null)
    assert.ok(count > 48)
    const { position, hash } = (await auditStore.head())!
    assert.equal(head, `${position}:${hash}`)
    const noted = await verifyAuditLog(auditStore, { position: position - 1, hash: 'f'.repeat(64) })
    assert.match(noted.fault?.problem ?? '', /another hash/)
    const cut = await verifyAuditLog(auditStore, { position: position + 1, hash })
    assert.match(cut.fault?.problem ?? '', /noted one is missing/)
  })

  test('is listed in pages, and narrowed by action, outcome and time', async () => {
    operator.clock.nowMs += 60_000
    const later = new Date(operator.clock.nowMs).toISOString()
    for (let i = 0; i < 3; i++) await createEvent(`Page ${i}`)
    await audit.flush()
    const page = (query: string) =>
      answered<AuditRecordList>(200, browser.request('GET', `/operator/audit?limit=2&from=${later}${query}`))

    const first = await page('')
    const second = await page(`&cursor=${first.next_cursor}`)

    const names = [...first.records, ...second.records].map(({ subject }) => subject?.name)
    assert.deepEqual([names, second.next_cursor], [['Page 2', 'Page 1', 'Page 0'], null])
    assert.deepEqual(await records(`from=${later}&action=operatorDeleteEvent`), [])
    assert.deepEqual(await records(`from=${later}&outcome=unknown`), [])
    assert.equal((await records(`to=${later}&limit=1`))[0].time < later, true)
    await readProblem(await browser.request('GET', '/operator/audit?cursor=x'), 400, 'BAD_REQUEST')
  })

  test('is exported whole, with formulas disarmed, and says so', async () => {
    operator.clock.nowMs += 60_000
    const from = new Date(operator.clock.nowMs).toISOString()
    await createEvent('=1+1')

    const file = await browser.request('GET', `/operator/audit/export?format=csv&from=${from}`)
    const csv = Buffer.from(await file.arrayBuffer()).toString()
    const lines = await (await browser.request('GET', `/operator/audit/export?format=jsonl&from=${from}`)).text()

    const rows = csv.trim().split('\r\n')
    assert.match(csv, /^\ufeffposition,time,source,actor/)
    assert.match(csv, /,'=1\+1,/)
    assert.equal(rows.length, 3)
    const exported = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditRecord)
    assert.deepEqual(
      exported.map(({ action }) => action),
      ['exportAuditLog', 'exportAuditLog', 'operatorCreateEvent'],
    )
  })

  test('is open to owners alone, and has what others were refused', async () => {
    const editor = operator.browser()
    const rights = { role: 'editor', limitedTo: null } as const
    const { link, operator: made } = await operator.service.deps.accounts.create(`Editor ${randomUUID()}`, rights)
    const token = link.path.split('#token=')[1]
    await answered(200, editor.request('POST', '/operator/sign-in-link', { token, password: PASSWORD }))

    const answers = await Promise.all([
      editor.request('GET', '/operator/audit'),
      editor.request('GET', '/operator/audit/export?format=csv'),
      editor.request('POST', '/operator/operators', { name: 'X' }),
    ])

    for (const answer of answers) await readProblem(answer, 403, 'INSUFFICIENT_ROLE')
    const refused = (await records(`operator=${made.id}&outcome=refused`)).map(({ action }) => action).sort()
    assert.deepEqual(refused, ['createOperator', 'exportAuditLog'])
  })
})

/** Returns the example of a JSON body; undefined if an operation takes none. */
function exampleIn(body: OpenAPIV3_1.OperationObject['requestBody']): unknown {
  return (body as OpenAPIV3_1.RequestBodyObject | undefined)?.content['application/json']?.example
}
