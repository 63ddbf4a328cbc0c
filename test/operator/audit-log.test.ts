import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { AuditRecord, AuditRecordList } from '../../src/operator/audit/audit-schemas.ts'
import { verifyAuditLog } from '../../src/operator/audit/verify-audit-log.ts'
import { OWNER } from '../../src/operator/domain/operator-rights.ts'
import { createAuditStore } from '../../src/operator/storage/audit-store.ts'
import { openOperatorDatabase } from '../../src/operator/storage/open-database.ts'
import { exampleOf } from '../../src/platform/http/reference/example.ts'
import { operationsOf } from '../../src/platform/http/reference/operations.ts'
import { resolveReferences } from '../../src/platform/http/reference/resolve-references.ts'
import type { Browser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { PASSWORD, startOperator } from './support/start-operator.ts'

const SERVICES = ['tracks', 'publications', 'dashboard'] as const
const DAY_MS = 86_400_000

for (const database of databases) {
  describe(`the audit log on ${database.name}`, async () => {
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

    test('has a record of every changing request of the operators', async () => {
      const document = await answered<OpenAPIV3_1.Document>(200, fetch(`${operator.url}/openapi.json`))
      const changing = operationsOf(resolveReferences(document)).filter(
        ({ path, method, security }) => path.startsWith('/operator/') && method !== 'get' && security === 'session',
      )

      for (const { path, method, body } of changing) {
        const address = path.replaceAll(/\{\w+\}/g, () => randomUUID())
        await (await browser.request(method.toUpperCase(), address, body && exampleOf(body))).text()
      }

      const found = new Set((await records('limit=500')).map(({ action }) => action))
      const expected = changing.map(({ id }) => id)
      assert.ok(expected.length > 40, `${expected.length}`)
      assert.deepEqual(
        expected.filter((id) => !found.has(id)),
        [],
      )
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
      assert.deepEqual([updated.subject?.name, updated.details], ['Trail 2026', { fields: ['name'] }])
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

      const found = await records('source=api&limit=100')
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
      await readProblem(await operator.browser().request('GET', '/operator/audit'), 401, 'UNAUTHORIZED')
      const refused = (await records(`operator=${made.id}&outcome=refused`)).map(({ action }) => action).sort()
      assert.deepEqual(refused, ['createOperator', 'exportAuditLog'])
    })
  })

  describe(`the records on ${database.name}`, async () => {
    const { url: databaseUrl, dataDir } = await database.open({ after })
    const settings = { databaseUrl, dataDir, databaseConnections: 2, logger: { info() {}, warn() {} } }
    const { db, close } = await openOperatorDatabase(settings)
    after(close)
    const store = createAuditStore(db)
    const nowMs = Date.now()

    test('are removed after their time, which the log says', async () => {
      const record = (daysAgo: number) => ({ at: nowMs - daysAgo * DAY_MS, action: `${daysAgo} days ago` })
      await store.append([record(40), record(35), record(32), record(29), record(1)])

      const removedForEver = await store.removeOld(nowMs)
      await store.keepFor(30 * DAY_MS, nowMs)
      const removed = await store.removeOld(nowMs)
      const removedAgain = await store.removeOld(nowMs)

      assert.deepEqual([removedForEver, removed, removedAgain], [0, 3, 0])
      const left = await store.after(0, 100)
      assert.deepEqual(
        left.map(({ action }) => action),
        ['29 days ago', '1 days ago', 'setAuditRetention', 'removeOldAuditRecords'],
      )
      assert.deepEqual(JSON.parse(left[2].details), { keep_days: 30, kept_days_before: 0 })
      assert.equal((await verifyAuditLog(store, undefined)).fault, null)
    })

    test('are found to be changed, exchanged or missing once somebody has lifted the triggers', async () => {
      const triggers =
        database.name === 'SQLite'
          ? ['drop trigger audit_log_refuses_updates', 'drop trigger audit_log_refuses_deletions']
          : ['alter table audit_log disable trigger user']
      for (const trigger of triggers) await sql.raw(trigger).execute(db)
      const faultAfter = async (statement: string, back?: string) => {
        await sql.raw(statement).execute(db)
        const { fault } = await verifyAuditLog(store, undefined)
        if (back !== undefined) await sql.raw(back).execute(db)
        return fault
      }

      const changed = await faultAfter(
        `update audit_log set actor_name = 'nobody' where position = 5`,
        'update audit_log set actor_name = null where position = 5',
      )
      const missing = await faultAfter('delete from audit_log where position = 5')
      const withoutStart = await faultAfter('delete from audit_log where position = 4')

      assert.deepEqual([changed?.position, missing?.position, withoutStart?.position], [5, 6, 6])
      assert.match(changed?.problem ?? '', /does not match its hash/)
      assert.match(missing?.problem ?? '', /missing after position 4/)
      assert.match(withoutStart?.problem ?? '', /removed, and the log does not say so/)
    })
  })
}
