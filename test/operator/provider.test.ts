import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { pino } from 'pino'
import type { ConfirmationMethods, Session, SignInMethods } from '../../src/operator/model/schemas.ts'
import type { Browser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { PASSWORD, startOperator } from './support/start-operator.ts'
import { type Person, startProvider } from './support/start-provider.ts'

const MINUTE_MS = 60_000

describeOn(databases, 'signing in through a provider', async (database) => {
  let authenticatedAtMs = () => clock.nowMs
  const provider = await startProvider({ after }, () => authenticatedAtMs())
  provider.isAway = true
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line) => lines.push(line) })
  const settings = { ...provider.settings, OIDC_LOCAL_CREDENTIALS: 'true', TRUSTED_PROXIES: '127.0.0.0/8' }
  const operator = await startOperator({ after }, database, { logger, settings })
  const { clock, service } = operator
  const owner = await operator.signedIn()
  const { db } = service.deps.database
  const SIGN_IN = '/operator/session/provider'
  const CONFIRM = '/operator/session/confirmation/provider'
  let addresses = 0

  /** Asks for the address at the provider, each time from another address here. */
  function askForAddress(browser: Browser, path = SIGN_IN, from = `192.0.2.${++addresses % 256}`): Promise<Response> {
    return browser.request('POST', `${path}/address`, undefined, { 'X-Forwarded-For': from })
  }

  async function begin(browser: Browser, path = SIGN_IN): Promise<string> {
    // Later than any pause after refusals of tests before.
    clock.nowMs += 15 * MINUTE_MS
    return (await answered<{ url: string }>(200, askForAddress(browser, path))).url
  }

  async function visit(browser: Browser, person: Person, path = SIGN_IN): Promise<Response> {
    const query = await provider.visit(await begin(browser, path), person)
    return await browser.request('POST', path, { query })
  }

  async function signedIn(person: Person) {
    const browser = operator.browser()
    const session = await answered<Session>(200, visit(browser, person))
    return { browser, ...session.operator }
  }

  const count = async () => (await db.selectFrom('operators').select('id').execute()).length

  test('a provider that is away does not keep the server from starting, or operators from their passwords', async () => {
    const methods = await owner.request('GET', '/operator/sign-in-methods')
    const browser = operator.browser()

    await answered(200, browser.request('POST', '/operator/session', { name: 'operator', password: PASSWORD }))
    const before = provider.requests
    const asked = Array.from({ length: 20 }, () => askForAddress(browser))
    const { detail } = await readProblem(await asked[0], 503, 'UNAVAILABLE')
    for (const response of await Promise.all(asked)) assert.equal(response.status, 503)
    assert.equal((await askForAddress(browser)).headers.get('retry-after'), '10')

    assert.equal((await answered<SignInMethods>(200, methods)).provider, '')
    assert.match(detail, /^The identity provider does not answer at the moment/)
    assert.equal(provider.requests, before + 1)
    clock.nowMs += 10_000
    await readProblem(await askForAddress(browser), 503, 'UNAVAILABLE')
    assert.equal(provider.requests, before + 2)
    provider.isAway = false
    const query = await provider.visit(await begin(browser), { sub: 'early', groups: ['staff'] })
    provider.isAway = true
    await readProblem(await browser.request('POST', SIGN_IN, { query }), 503, 'UNAVAILABLE')
    provider.isAway = false
    await answered(200, browser.request('POST', SIGN_IN, { query }))
  })

  test('the way there has PKCE, state and nonce, and what belongs to them is hidden in a cookie', async () => {
    const response = await askForAddress(operator.browser())

    const { url } = await answered<{ url: string }>(200, response)
    const asked = Object.fromEntries(new URL(url).searchParams)
    assert.equal(asked.redirect_uri, `${service.deps.baseUrl()}/dashboard/sign-in/provider`)
    assert.deepEqual(
      [asked.response_type, asked.scope, asked.code_challenge_method, asked.client_id, asked.prompt],
      ['code', 'openid profile', 'S256', 'trackpress', undefined],
    )
    assert.ok([asked.state, asked.nonce, asked.code_challenge].every((secret) => secret.length >= 43))
    const [cookie, ...more] = response.headers.getSetCookie()
    assert.match(cookie, /^trackpress_provider=[\w-]+; Max-Age=1800; Path=\/; HttpOnly; SameSite=Strict$/)
    assert.deepEqual(more, [])
  })

  test('an address may ask thirty times a second only if it is several', async () => {
    const browser = operator.browser()
    const ask = (from: (i: number) => string) =>
      Promise.all(Array.from({ length: 30 }, async (_, i) => (await askForAddress(browser, SIGN_IN, from(i))).status))

    const one = await ask((i) => `2001:db8:1:2:${i}::1`)
    const several = await ask((i) => `2001:db8:1:${i + 100}::1`)

    assert.deepEqual([one.includes(429), several.every((status) => status === 200)], [true, true])
  })

  test('guesses from the addresses of one subscriber are slowed together', async () => {
    const guess = async (i: number) => {
      const browser = operator.browser()
      await begin(browser)
      const from = { 'X-Forwarded-For': `2001:db8:7:7:${i}::1` }
      return (await browser.request('POST', SIGN_IN, { query: '?code=guessed&state=guessed' }, from)).status
    }
    const guessers = await Promise.all(Array.from({ length: 8 }, (_, i) => guess(i)))

    assert.equal(guessers.filter((status) => status === 401).length, 5)
    assert.equal(guessers.filter((status) => status === 429).length, 3)
  })

  test('a person with a group gets an account with its role, bound to issuer and subject', async () => {
    const first = await signedIn({ sub: 'ada', name: 'Ada', groups: ['other', 'press'] })
    const again = await signedIn({ sub: 'ada', name: 'Ada Renamed', groups: ['press'] })
    const namesake = await signedIn({ sub: 'another ada', name: 'ADA', groups: ['staff'] })
    const thief = await signedIn({ sub: 'eve', name: 'operator', groups: ['staff'] })

    assert.deepEqual([first.name, first.role, first.limited_to], ['Ada', 'editor', null])
    assert.deepEqual([again.id, again.name], [first.id, 'Ada'])
    assert.notEqual(namesake.id, first.id)
    assert.deepEqual([namesake.name, thief.name, thief.role], ['ADA 2', 'operator 2', 'viewer'])
    await answered(200, first.browser.request('GET', '/operator/session'))
  })

  test('one person who signs in twice at once gets one account', async () => {
    const before = await count()
    const browsers = [operator.browser(), (await operator.startAnother()).browser()]
    const person = { sub: 'twice', name: 'Twice', groups: ['staff'] }
    const queries = [
      await provider.visit(await begin(browsers[0]), person),
      await provider.visit(await begin(browsers[1]), person),
    ]

    const sessions = await Promise.all(
      browsers.map((browser, i) => answered<Session>(200, browser.request('POST', SIGN_IN, { query: queries[i] }))),
    )

    assert.equal(sessions[0].operator.id, sessions[1].operator.id)
    assert.equal(await count(), before + 1)
  })

  test('groups change the role at each sign-in, and without one there is no way in', async () => {
    const before = await count()
    const stranger = await visit(operator.browser(), { sub: 'nobody', name: 'Nobody', groups: ['other'] })
    const { detail } = await readProblem(stranger, 403, 'FORBIDDEN')
    await readProblem(await visit(operator.browser(), { sub: 'nobody' }), 403, 'FORBIDDEN')
    assert.match(detail, /None of the groups/)
    assert.equal(await count(), before)

    const viewer = await signedIn({ sub: 'grace', groups: ['staff'] })
    const greatest = await signedIn({ sub: 'grace', groups: ['staff', 'admins', 'press'] })
    const { operator: now } = await answered<Session>(200, viewer.browser.request('GET', '/operator/session'))
    const lesser = await signedIn({ sub: 'grace', groups: ['press'] })
    assert.deepEqual([viewer.role, greatest.role, now.role, lesser.role], ['viewer', 'owner', 'owner', 'editor'])

    await readProblem(await visit(operator.browser(), { sub: 'grace', groups: [] }), 403, 'FORBIDDEN')
    for (const { browser } of [viewer, greatest, lesser])
      await readProblem(await browser.request('GET', '/operator/session'), 401, 'UNAUTHORIZED')
  })

  test('groups that are not in the ID token come from the UserInfo endpoint', async () => {
    const { role } = await signedIn({ sub: 'info', userInfo: { groups: ['press'] } })
    assert.equal(role, 'editor')
    const stolen = { sub: 'info', userInfo: { sub: 'another', groups: ['admins'] } }
    await readProblem(await visit(operator.browser(), stolen), 401, 'UNAUTHORIZED')
  })

  test('answers that are not meant for this sign-in are refused', async () => {
    const before = await count()
    const nowSec = Math.floor(Date.now() / 1000)
    const wrong: Record<string, Record<string, unknown>> = {
      nonce: { nonce: 'another' },
      'no nonce': { nonce: undefined },
      audience: { aud: 'another client' },
      issuer: { iss: 'https://another.example.org' },
      expired: { iat: nowSec - 700, exp: nowSec - 60 },
      'no subject': { sub: undefined },
    }
    for (const [what, claims] of Object.entries(wrong)) {
      const browser = operator.browser()
      const response = await visit(browser, { sub: 'mallory', groups: ['admins'], claims })
      assert.equal(response.status, 401, what)
      assert.equal(browser.cookie, '', what)
    }

    const { signingKey } = provider
    provider.signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const forged = await visit(operator.browser(), { sub: 'mallory', groups: ['admins'] })
    provider.signingKey = signingKey
    await readProblem(forged, 401, 'UNAUTHORIZED')

    const mallory = { sub: 'mallory', groups: ['admins'] }
    const victim = operator.browser()
    const foreign = await provider.visit(await begin(operator.browser()), mallory)
    const own = new URLSearchParams(await provider.visit(await begin(victim), mallory))
    await readProblem(await victim.request('POST', SIGN_IN, { query: foreign }), 401, 'UNAUTHORIZED')
    // The right state with the code of another browser: the provider refuses its verifier.
    const mixed = new URLSearchParams({ code: new URLSearchParams(foreign).get('code')!, state: own.get('state')! })
    clock.nowMs += 5 * MINUTE_MS
    await readProblem(await victim.request('POST', SIGN_IN, { query: `?${mixed}` }), 401, 'UNAUTHORIZED')
    const cancelled = new URLSearchParams({ error: 'access_denied', state: own.get('state')! })
    clock.nowMs += 5 * MINUTE_MS
    await readProblem(await victim.request('POST', SIGN_IN, { query: `?${cancelled}` }), 401, 'UNAUTHORIZED')
    assert.equal(await count(), before)
  })

  test('an answer counts once, on all instances, in the browser that asked, for half an hour', async () => {
    const another = await operator.startAnother()
    const person = { sub: 'once', groups: ['staff'] }
    const browser = operator.browser()
    const query = await provider.visit(await begin(browser), person)
    const copies = [operator.browser(), another.browser()]
    for (const copy of copies) for (const [name, pair] of browser.begun) copy.begun.set(name, pair)

    await answered(200, browser.request('POST', SIGN_IN, { query }))
    await readProblem(await copies[0].request('POST', SIGN_IN, { query }), 401, 'UNAUTHORIZED')
    provider.takesCodesAgain = true
    const late = operator.browser()
    const again = await provider.visit(await begin(late), person)
    for (const [name, pair] of late.begun) copies[1].begun.set(name, pair)
    await answered(200, late.request('POST', SIGN_IN, { query: again }))
    await readProblem(await copies[1].request('POST', SIGN_IN, { query: again }), 410, 'GONE')
    provider.takesCodesAgain = false

    await readProblem(await operator.browser().request('POST', SIGN_IN, { query }), 410, 'GONE')
    const slow = await provider.visit(await begin(late), person)
    clock.nowMs += 30 * MINUTE_MS
    await readProblem(await late.request('POST', SIGN_IN, { query: slow }), 410, 'GONE')
  })

  test('a session is confirmed by signing in at the provider again, as the same person', async () => {
    const person = { sub: 'confirm', groups: ['admins'] }
    const { browser } = await signedIn(person)
    const confirm = (who: Person) => visit(browser, who, CONFIRM)
    const dangerous = () => browser.request('POST', '/operator/authenticator-app')
    const asked = new URL(await begin(browser, CONFIRM)).searchParams
    assert.deepEqual([asked.get('prompt'), asked.get('max_age')], ['login', '0'])
    await readProblem(await dangerous(), 403, 'CONFIRMATION_REQUIRED')
    const ways = async (from: Browser) =>
      await answered<ConfirmationMethods>(200, from.request('GET', '/operator/session/confirmation'))
    const { password, provider: button } = await ways(browser)
    assert.deepEqual([password, button], [false, ''])
    assert.equal((await ways(owner)).provider, null)

    await readProblem(await confirm({ ...person, claims: { auth_time: undefined } }), 403, 'FORBIDDEN')
    authenticatedAtMs = () => clock.nowMs - MINUTE_MS
    await readProblem(await confirm(person), 403, 'FORBIDDEN')
    authenticatedAtMs = () => clock.nowMs
    await readProblem(await confirm({ sub: 'ada', groups: ['admins'] }), 403, 'FORBIDDEN')
    const signInAnswer = await provider.visit(await begin(browser), person)
    await readProblem(await browser.request('POST', CONFIRM, { query: signInAnswer }), 410, 'GONE')
    await readProblem(await dangerous(), 403, 'CONFIRMATION_REQUIRED')

    const query = await provider.visit(await begin(browser, CONFIRM), person)
    await readProblem(await browser.request('POST', SIGN_IN, { query }), 410, 'GONE')
    await answered(200, browser.request('POST', CONFIRM, { query }))
    await answered(201, dangerous())
  })

  test('the provider takes nothing from the last owner who can sign in here', async () => {
    const person = { sub: 'last', groups: ['admins'] }
    const { id, browser } = await signedIn(person)
    const others = await db.selectFrom('operators').selectAll().where('role', '=', 'owner').execute()
    const { password_hash } = others.find(({ name }) => name === 'operator')!
    await db.updateTable('operators').set({ password_hash }).where('id', '=', id).execute()
    const local = db.updateTable('operators').where('name', '=', 'operator')
    await local.set({ role: 'viewer' }).execute()

    const kept = await signedIn({ ...person, groups: ['staff'] })
    await readProblem(await visit(operator.browser(), { ...person, groups: [] }), 403, 'FORBIDDEN')

    assert.deepEqual([kept.id, kept.role], [id, 'owner'])
    await answered(200, browser.request('GET', '/operator/session'))
    await local.set({ role: 'owner' }).execute()
    assert.equal((await signedIn({ ...person, groups: ['staff'] })).role, 'viewer')
  })

  test('a public client needs no secret', async () => {
    provider.isClientPublic = true
    const withoutSecret = { ...settings, OIDC_CLIENT_SECRET: '' }
    const open = await startOperator({ after }, database, { settings: withoutSecret })
    const browser = open.browser()

    const { url } = await answered<{ url: string }>(200, browser.request('POST', `${SIGN_IN}/address`))
    const query = await provider.visit(url, { sub: 'public', groups: ['staff'] })
    await answered(200, browser.request('POST', SIGN_IN, { query }))
    provider.isClientPublic = false
  })

  test('a deleted operator begins anew', async () => {
    const person = { sub: 'deleted', groups: ['staff'] }
    const { id, browser } = await signedIn(person)
    await service.deps.operators.delete(id)

    await readProblem(await browser.request('GET', '/operator/session'), 401, 'UNAUTHORIZED')
    assert.notEqual((await signedIn(person)).id, id)
  })

  test('nothing of the answers is logged', () => {
    const log = lines.join('\n')
    assert.match(log, /operator signed in through the identity provider/)
    assert.doesNotMatch(log, /a secret of tests|[?&]code=|eyJhbGciOiJSUzI1NiIs|code_verifier/)
  })
})
