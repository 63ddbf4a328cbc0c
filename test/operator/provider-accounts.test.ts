import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import type { ConfirmationMethods, OperatorList, Session } from '../../src/operator/model/schemas.ts'
import { newSession } from '../../src/operator/sessions/start-session.ts'
import type { Browser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { startOperator } from './support/start-operator.ts'
import { type Person, startProvider } from './support/start-provider.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SIGN_IN = '/operator/session/provider'
const LOGOUT = '/operator/provider/logout'
const SIGN_OUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

describeOn(databases, 'accounts of the provider', async (database) => {
  let authenticatedAtMs = () => clock.nowMs
  const provider = await startProvider({ after }, () => authenticatedAtMs())
  const settings = { ...provider.settings, TRUSTED_PROXIES: '127.0.0.1' }
  const operator = await startOperator({ after }, database, { settings })
  const { clock, service } = operator
  const owner = await operator.signedIn()
  const { db } = service.deps.database

  let visits = 0
  async function visit(browser: Browser, person: Person): Promise<Response> {
    // Later than any pause after refusals of tests before, and from another place: one address has 20 a second.
    clock.nowMs += 15 * MINUTE_MS
    const from = { 'X-Forwarded-For': `192.0.2.${++visits}` }
    const { url } = await answered<{ url: string }>(200, browser.request('POST', `${SIGN_IN}/address`, undefined, from))
    return await browser.request('POST', SIGN_IN, { query: await provider.visit(url, person) }, from)
  }

  async function signedIn(person: Person) {
    const browser = operator.browser()
    const session = await answered<Session>(200, visit(browser, person))
    return { browser, session, ...session.operator }
  }

  const isSignedIn = async (browser: Browser) => (await browser.request('GET', '/operator/session')).status === 200
  const listed = async (id: string) => {
    const fresh = await operators()
    return fresh.find((one) => one.id === id)!
  }
  const operators = async () =>
    (await answered<OperatorList>(200, owner.request('GET', '/operator/operators'))).operators
  const recorded = async (id: string | null, action: string) => {
    const rows = await db.selectFrom('audit_log').selectAll().where('action', '=', action).orderBy('position').execute()
    return rows.filter(({ subject_id }) => subject_id === id).map(({ details }) => JSON.parse(details))
  }

  test('a session is confirmed from the time at which the person has signed in at the provider', async () => {
    const dangerous = (browser: Browser) => browser.request('POST', '/operator/operators', { name: 'x', role: 'king' })
    const person = { sub: 'long ago', groups: ['admins'] }

    authenticatedAtMs = () => clock.nowMs - 30 * 24 * HOUR_MS
    await readProblem(await dangerous((await signedIn(person)).browser), 403, 'CONFIRMATION_REQUIRED')
    authenticatedAtMs = () => clock.nowMs
    const silent = await signedIn({ ...person, claims: { auth_time: undefined } })
    await readProblem(await dangerous(silent.browser), 403, 'CONFIRMATION_REQUIRED')
    authenticatedAtMs = () => clock.nowMs + 24 * HOUR_MS
    const { session, browser } = await signedIn(person)
    authenticatedAtMs = () => clock.nowMs

    assert.equal(Date.parse(session.confirmed_until), clock.nowMs + 10 * MINUTE_MS)
    assert.equal((await dangerous(browser)).status, 400)
  })

  test('sessions end after eight hours, those of local accounts do not', async () => {
    const { browser, session } = await signedIn({ sub: 'eight hours', groups: ['staff'] })
    assert.equal(Date.parse(session.expires_at), clock.nowMs + 8 * HOUR_MS)

    clock.nowMs += 8 * HOUR_MS - 1
    assert.equal(await isSignedIn(browser), true)
    clock.nowMs += 1
    assert.deepEqual([await isSignedIn(browser), await isSignedIn(owner)], [false, true])
    await service.deps.sessions.removeExpired(clock.nowMs)
    const { id } = session.operator
    assert.deepEqual(await db.selectFrom('sessions').select('id').where('operator_id', '=', id).execute(), [])
  })

  test('neither have nor use a password, a passkey or a code here', async () => {
    const { id, name, browser } = await signedIn({ sub: 'no password', name: 'Nopass', groups: ['admins'] })
    const { password_hash } = (await service.deps.operators.findByName('operator'))!
    await db.updateTable('operators').set({ password_hash }).where('id', '=', id).execute()
    const password = 'a quiet lake at dawn'

    const ways = await answered<ConfirmationMethods>(200, browser.request('GET', '/operator/session/confirmation'))
    const { provider: button, ...others } = ways
    assert.deepEqual([button, Object.values(others).some((way) => way === true)], ['', false])
    for (const [method, path, body] of [
      ['POST', '/operator/session/confirmation', { password }],
      ['POST', '/operator/authenticator-app'],
      ['POST', '/operator/passkeys/options'],
      ['POST', `/operator/operators/${id}/sign-in-link`],
    ] as const)
      await readProblem(await browser.request(method, path, body), 409, 'CONFLICT')
    assert.equal((await listed(id)).may_have_credentials, false)
    const local = (await operators()).find((one) => one.name === 'operator')
    assert.equal(local!.may_have_credentials, true)
    const change = { current_password: password, password: 'another lake at dusk' }
    await readProblem(await browser.request('PUT', '/operator/password', change), 403, 'FORBIDDEN')
    clock.nowMs += HOUR_MS
    const stranger = operator.browser()
    await readProblem(await stranger.request('POST', '/operator/session', { name, password }), 401, 'UNAUTHORIZED')
  })

  test('an account without a role at the provider is suspended until it has one again', async () => {
    const person = { sub: 'leaves', name: 'Lea', groups: ['press'] }
    const { id, browser } = await signedIn(person)
    const { row } = newSession(id, { address: '', userAgent: '' }, clock.nowMs)

    await readProblem(await visit(operator.browser(), { ...person, groups: [] }), 403, 'FORBIDDEN')

    assert.equal(await isSignedIn(browser), false)
    assert.equal((await listed(id)).suspended_at, new Date(clock.nowMs).toISOString())
    const { signInStore } = service.deps
    const { password_hash: verified } = (await service.deps.operators.findByName('operator'))!
    await db.updateTable('operators').set({ password_hash: verified }).where('id', '=', id).execute()
    assert.equal(await signInStore.openSession(row, { verified: verified!, stored: verified! }), false)
    await db.insertInto('sessions').values(row).execute()
    assert.equal(await service.deps.sessions.find(row.token_sha256, clock.nowMs), undefined)
    await assert.rejects(service.deps.accounts.recover(id), /has taken away the role of this account/)
    await readProblem(await visit(operator.browser(), { ...person, groups: [] }), 403, 'FORBIDDEN')

    await signedIn({ ...person, groups: ['staff'] })
    assert.deepEqual([(await listed(id)).suspended_at, (await listed(id)).role], [null, 'viewer'])
    assert.deepEqual(await recorded(null, 'createOperatorByProvider').then((all) => all.at(-1)), {
      issuer: provider.issuer,
      after: { role: 'editor', is_suspended: false },
    })
    assert.equal((await recorded(id, 'suspendOperatorByProvider')).length, 1)
    const [restored] = await recorded(id, 'updateOperatorByProvider')
    assert.deepEqual(
      [restored.before, restored.after],
      [
        { role: 'editor', is_suspended: true },
        { role: 'viewer', is_suspended: false },
      ],
    )
  })

  test('a confirmation notices that the role is gone', async () => {
    const person = { sub: 'confirms', groups: ['admins'] }
    const { id, browser } = await signedIn(person)
    const path = '/operator/session/confirmation/provider'
    const { url } = await answered<{ url: string }>(200, browser.request('POST', `${path}/address`))
    const query = await provider.visit(url, { ...person, groups: [] })

    await readProblem(await browser.request('POST', path, { query }), 403, 'FORBIDDEN')

    assert.equal(await isSignedIn(browser), false)
    assert.notEqual((await listed(id)).suspended_at, null)
  })

  test('a suspended owner is no owner who could be the last', async () => {
    const person = { sub: 'not the last', groups: ['admins'] }
    const { id } = await signedIn(person)
    await readProblem(await visit(operator.browser(), { ...person, groups: [] }), 403, 'FORBIDDEN')
    await db
      .updateTable('operators')
      .set({ role: 'viewer' })
      .where('id', '!=', id)
      .where('name', '!=', 'operator')
      .execute()
    const { id: lastId } = (await service.deps.operators.findByName('operator'))!

    await assert.rejects(service.deps.operators.delete(lastId), /The last owner can neither be deleted/)
  })

  test('limits come back after a day as an owner', async () => {
    const person = { sub: 'a day as owner', groups: ['press'] }
    const { id } = await signedIn(person)
    const limits = { events: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'], workspaces: [] }
    await service.deps.operators.changeRights(id, ({ role }) => ({ role, limitedTo: limits }))

    const promoted = await signedIn({ ...person, groups: ['admins'] })
    const back = await signedIn(person)

    assert.deepEqual([promoted.role, promoted.limited_to], ['owner', null])
    assert.deepEqual([back.role, back.limited_to], ['editor', limits])
    await answered(200, promoted.browser.request('GET', '/operator/session'))
  })

  test('what new accounts reach is a setting, which the dashboard tells', async () => {
    const settings = { ...provider.settings, OIDC_NEW_ACCOUNTS_REACH: 'nothing' }
    const careful = await startOperator({ after }, database, { settings })
    const browser = careful.browser()
    const { url } = await answered<{ url: string }>(200, browser.request('POST', `${SIGN_IN}/address`))
    const query = await provider.visit(url, { sub: 'new', groups: ['press'] })

    const { operator: made } = await answered<Session>(200, browser.request('POST', SIGN_IN, { query }))

    assert.deepEqual(made.limited_to, { events: [], workspaces: [] })
    const reach = async (from: Browser) =>
      (await answered<{ new_accounts_reach: string }>(200, from.request('GET', '/operator/settings')))
        .new_accounts_reach
    assert.deepEqual([await reach(browser), await reach(owner)], ['nothing', 'everything'])
  })

  test('the provider ends the session that it names, or all of a person, with a token that counts once', async () => {
    const send = (token: string) =>
      operator.browser().send('POST', LOGOUT, String(new URLSearchParams({ logout_token: token })), FORM)
    const first = await signedIn({ sub: 'out', groups: ['staff'], claims: { sid: 's1' } })
    const second = await signedIn({ sub: 'out', groups: ['staff'], claims: { sid: 's2' } })
    const unnamed = await signedIn({ sub: 'out', groups: ['staff'] })
    const other = await signedIn({ sub: 'stays', groups: ['staff'], claims: { sid: 's1' } })
    const open = async () =>
      await Promise.all([first, second, unnamed, other].map(({ browser }) => isSignedIn(browser)))

    const named = await send(provider.logoutToken({ sub: 'out', sid: 's1' }))
    assert.deepEqual(await answered(200, named), { ended_sessions: 2 })
    assert.equal(named.headers.get('cache-control'), 'no-store')
    assert.deepEqual(await open(), [false, true, false, true])

    const back = await signedIn({ sub: 'out', groups: ['staff'] })
    const all = provider.logoutToken({ sub: 'out' }, { typ: 'JWT' })
    await answered(200, send(all))
    assert.deepEqual([await isSignedIn(back.browser), ...(await open())], [false, false, false, false, true])
    const again = await signedIn({ sub: 'out', groups: ['staff'] })
    await readProblem(await send(all), 400, 'BAD_REQUEST')
    assert.equal(await isSignedIn(again.browser), true)
    await answered(200, send(provider.logoutToken({ sid: 's1' })))
    assert.deepEqual(await open(), [false, false, false, false])
    assert.equal((await recorded(first.id, 'endSessionsByProvider')).length, 2)
  })

  test('tokens that do not prove that the provider meant it end nothing', async () => {
    const { browser } = await signedIn({ sub: 'safe', groups: ['staff'] })
    const nowSec = Math.floor(Date.now() / 1000)
    const sub = 'safe'
    const { signingKey } = provider
    provider.signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const forged = provider.logoutToken({ sub })
    provider.signingKey = signingKey
    const unsigned = ['none', 'HS256'].map((alg) => {
      const [, claims] = provider.logoutToken({ sub }).split('.')
      const head = `${Buffer.from(JSON.stringify({ alg, kid: 'k1' })).toString('base64url')}.${claims}`
      const secret = provider.settings.OIDC_CLIENT_SECRET
      return `${head}.${alg === 'none' ? '' : createHmac('sha256', secret).update(head).digest('base64url')}`
    })
    const wrong: Record<string, string> = {
      forged,
      'signed with nothing': unsigned[0],
      'signed with the secret of the client': unsigned[1],
      'another audience': provider.logoutToken({ sub, aud: 'another client' }),
      'another issuer': provider.logoutToken({ sub, iss: 'https://another.example.org' }),
      'an ID token': provider.logoutToken({ sub, events: undefined, nonce: 'n' }),
      'with a nonce': provider.logoutToken({ sub, nonce: 'n' }),
      'of another event': provider.logoutToken({ sub, events: { 'https://example.org/event': {} } }),
      'without an object': provider.logoutToken({ sub, events: { [SIGN_OUT_EVENT]: 'yes' } }),
      'without an id': provider.logoutToken({ sub, jti: undefined }),
      'for nobody': provider.logoutToken({}),
      expired: provider.logoutToken({ sub, iat: nowSec - 120, exp: nowSec - 60 }),
      old: provider.logoutToken({ sub, iat: nowSec - 400, exp: nowSec + 60 }),
      'for ever': provider.logoutToken({ sub, exp: undefined }),
      'of another type': provider.logoutToken({ sub }, { typ: 'at+jwt' }),
      'no token': 'nothing',
    }
    for (const [what, token] of Object.entries(wrong)) {
      const body = String(new URLSearchParams({ logout_token: token }))
      const response = await operator.browser().send('POST', LOGOUT, body, FORM)
      assert.equal(response.status, 400, `${what}: ${await response.text()}`)
    }
    assert.equal((await operator.browser().send('POST', LOGOUT, '', FORM)).status, 400)
    assert.equal(await isSignedIn(browser), true)
  })
})

const FORM = 'application/x-www-form-urlencoded'
