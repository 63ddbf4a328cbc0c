import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Problem } from '#platform/http/problem.ts'
import { type OperatorRights, OWNER } from '../../src/operator/model/operator-rights.ts'
import type { Operator, OperatorCreated, Session } from '../../src/operator/model/schemas.ts'
import { type Browser, createBrowser } from '../support/browser.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { openEvents } from '../support/read-events.ts'
import { signIn } from '../support/sign-in.ts'
import { startService } from '../support/start-service.ts'
import { answered } from './support/answered.ts'

const MINUTE_MS = 60_000
const PASSWORD = 'a quiet lake at dawn'
const NOWHERE = '00000000-0000-4000-8000-000000000000'

describeOn(databases, 'roles', async (database) => {
  const clock = { nowMs: Date.now() }
  const service = await startService({ after }, database, { now: () => clock.nowMs, signedIn: true })
  const another = await service.startAnother()
  const { operators } = service.server.operator!.deps
  const owner = service.operator

  const makeEvent = async () =>
    (await service.answer<{ id: string }>(201, 'POST', '/operator/events', { name: 'Trail' })).id
  const who = async (browser: Browser) =>
    (await answered<Session>(200, browser.request('GET', '/operator/session'))).operator
  const change = (id: string, rights: object) => owner.request('PATCH', `/operator/operators/${id}`, rights)

  /** Signs a new operator in. */
  async function operatorWith(rights: OperatorRights): Promise<{ browser: Browser; id: string }> {
    const browser = await signIn(service, rights)
    return { browser, id: (await who(browser)).id }
  }

  test('are given to a new operator, and shown in the list and to itself', async () => {
    const eventId = await makeEvent()
    const limited_to = { events: [eventId], workspaces: [service.workspaceId] }

    const made = await answered<OperatorCreated>(
      201,
      owner.request('POST', '/operator/operators', { name: 'Camille', role: 'editor', limited_to }),
    )
    const { operators: list } = await service.answer<{ operators: Operator[] }>(200, 'GET', '/operator/operators')
    const browser = createBrowser(service.url)
    const token = made.sign_in_link.url.split('#token=')[1]
    const session = await answered<Session>(
      200,
      browser.request('POST', '/operator/sign-in-link', { token, password: PASSWORD }),
    )

    assert.deepEqual([made.role, made.limited_to], ['editor', limited_to])
    const listed = list.find(({ id }) => id === made.id)!
    assert.deepEqual([listed.role, listed.limited_to], ['editor', limited_to])
    assert.deepEqual([session.operator.role, session.operator.limited_to], ['editor', limited_to])
  })

  test('that are not valid are refused by name, and nothing is stored', async () => {
    const { id } = await operatorWith({ role: 'viewer', limitedTo: null })
    const limits = { events: [], workspaces: [] }
    const create = (body: object) => owner.request('POST', '/operator/operators', { name: randomUUID(), ...body })

    assert.deepEqual(await wrongPlaces(await create({})), ['role'])
    assert.deepEqual(await wrongPlaces(await create({ role: 'admin' })), ['role'])
    assert.deepEqual(await wrongPlaces(await create({ role: 'owner', limited_to: limits })), ['limited_to'])
    assert.deepEqual(
      await wrongPlaces(await change(id, { limited_to: { events: [service.eventId, NOWHERE], workspaces: ['x'] } })),
      ['limited_to/events/1', 'limited_to/workspaces/0'],
    )
    assert.deepEqual(await wrongPlaces(await change(id, { limited_to: { events: [] } })), ['limited_to/workspaces'])
    await readProblem(await change(NOWHERE, { role: 'editor' }), 404, 'NOT_FOUND')
    const stored = (await operators.list()).find((operator) => operator.id === id)
    assert.deepEqual(stored?.rights, { role: 'viewer', limitedTo: null })
  })

  test('change for the next request, on every instance', async () => {
    const eventId = await makeEvent()
    const { browser, id } = await operatorWith({ role: 'editor', limitedTo: null })
    const there = Object.assign(createBrowser(another.url), { cookie: browser.cookie })
    const rename = (from: Browser) => from.request('PATCH', `/operator/events/${eventId}`, { name: 'Renamed' })
    await answered(200, rename(browser))

    await answered(200, change(id, { role: 'viewer' }))
    const problem = (await readProblem(await rename(there), 403, 'INSUFFICIENT_ROLE')) as Problem & {
      needed_role: string
    }
    await answered(200, change(id, { limited_to: { events: [], workspaces: [] } }))
    await readProblem(await rename(there), 404, 'NOT_FOUND')
    await answered(200, change(id, { role: 'owner' }))

    assert.deepEqual([problem.needed_role, problem.detail], ['editor', 'This needs the role editor.'])
    await answered(200, rename(there))
    assert.deepEqual((await who(browser)).limited_to, null)
  })

  test('end live streams that they no longer allow, here at once and elsewhere soon, and no others', async () => {
    const [eventId, otherId] = [await makeEvent(), await makeEvent()]
    const { browser, id } = await operatorWith({ role: 'viewer', limitedTo: null })
    const live = async (url: string, event: string) => {
      const events = await openEvents(`${url}/operator/events/${event}/live`, undefined, browser.cookie)
      await events.until(({ event: name }) => name === 'ready')
      return events
    }
    const [here, there] = [await live(service.url, eventId), await live(another.url, eventId)]
    const kept = await live(service.url, otherId)

    await answered(200, change(id, { limited_to: { events: [otherId], workspaces: [] } }))
    const isEndedHere = await here.isEnded()
    another.server.operator!.deps.sessionStreams.check()
    const isEndedThere = await there.isEnded()

    assert.deepEqual([isEndedHere, isEndedThere], [true, true])
    const token = await service.createToken({ eventId: otherId })
    await fetch(`${service.url}/tracks`, {
      method: 'POST',
      headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ device_track_id: 'phone-1', activity_type: 'walk' }),
    })
    await kept.until(({ event }) => event === 'track')
    kept.close()
  })

  test('keep an owner: the last can be neither deleted nor demoted, also by two at once', async () => {
    const second = await operatorWith(OWNER)
    const first = await who(owner)
    for (const { id } of await operators.list()) {
      if (id !== first.id && id !== second.id) await operators.delete(id)
    }

    const answers = await Promise.all([
      owner.request('PATCH', `/operator/operators/${second.id}`, { role: 'viewer' }),
      second.browser.request('PATCH', `/operator/operators/${first.id}`, { role: 'viewer' }),
    ])
    const owners = (await operators.list()).filter(({ role }) => role === 'owner')

    assert.equal(owners.length, 1)
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    // The winner's browser goes on as the owner of the tests below.
    const winner = owners[0].id === first.id ? owner : second.browser
    owner.cookie = winner.cookie
    const last = owners[0].id
    await readProblem(await change(last, { role: 'editor' }), 409, 'CONFLICT')
    await readProblem(await owner.request('DELETE', `/operator/operators/${last}`), 409, 'CONFLICT')
    assert.equal((await operators.list()).filter(({ role }) => role === 'owner').length, 1)
  })

  test('that are limited let limits of events and workspaces be', async () => {
    const limitedTo = { events: [service.eventId], workspaces: [service.workspaceId] }
    const { browser } = await operatorWith({ role: 'editor', limitedTo })
    const event = (body: object) => browser.request('PATCH', `/operator/events/${service.eventId}`, body)
    const workspace = (body: object) => browser.request('PATCH', `/operator/workspaces/${service.workspaceId}`, body)

    await answered(200, event({ name: 'Renamed', max_tracks: null }))
    await answered(200, workspace({ name: 'Renamed', max_bytes: null }))
    await readProblem(await event({ max_tracks: 5 }), 403, 'INSUFFICIENT_ROLE')
    await readProblem(await workspace({ max_publications: 5 }), 403, 'INSUFFICIENT_ROLE')
    await answered(200, owner.request('PATCH', `/operator/events/${service.eventId}`, { max_tracks: 5 }))
  })
})

describeOn(databases, 'a confirmation', async (database) => {
  const clock = { nowMs: Date.now() }
  const service = await startService({ after }, database, { now: () => clock.nowMs })
  const { operator } = service
  const token = service.server.firstStart.operator!.signInPath.split('#token=')[1]
  await answered(200, operator.request('POST', '/operator/sign-in-link', { token, password: PASSWORD }))

  const reveal = () => operator.request('GET', `/operator/workspaces/${service.workspaceId}/key`)
  const confirm = (password: string) => operator.request('POST', '/operator/session/confirmation', { password })

  test('is asked for ten minutes after signing in, and counts for ten minutes', async () => {
    await answered(200, reveal())
    clock.nowMs += 10 * MINUTE_MS
    const refused = await readProblem(await reveal(), 403, 'CONFIRMATION_REQUIRED')

    const { confirmed_until } = await answered<{ confirmed_until: string }>(200, confirm(PASSWORD))
    const session = await answered<Session>(200, operator.request('GET', '/operator/session'))

    assert.match(refused.detail, /^Confirm that it is you/)
    assert.equal(Date.parse(confirmed_until), clock.nowMs + 10 * MINUTE_MS)
    assert.equal(session.confirmed_until, confirmed_until)
    await answered(200, reveal())
    clock.nowMs += 10 * MINUTE_MS
    await readProblem(await reveal(), 403, 'CONFIRMATION_REQUIRED')
  })

  test('for the codes of participants counts twelve hours, and each look at them is recorded', async () => {
    const path = `/operator/events/${service.eventId}/participant-tokens`
    await answered(200, confirm(PASSWORD))
    clock.nowMs += 11 * 60 * MINUTE_MS
    await readProblem(await reveal(), 403, 'CONFIRMATION_REQUIRED')

    await answered(201, operator.request('POST', path, { participants: [{ user_id: '7', name: 'Anna' }] }))
    await answered(200, operator.request('GET', path))
    clock.nowMs += 61 * MINUTE_MS
    await readProblem(await operator.request('GET', path), 403, 'CONFIRMATION_REQUIRED')

    await answered(200, confirm(PASSWORD))
    const { records } = await answered<{ records: { action: string; outcome: string }[] }>(
      200,
      operator.request('GET', '/operator/audit?limit=50'),
    )
    assert.ok(
      records.some(({ action, outcome }) => `${action} ${outcome}` === 'operatorListParticipantTokens succeeded'),
    )
  })

  test('is of one session, and not asked for before the role is known to be enough', async () => {
    await answered(200, confirm(PASSWORD))
    const viewer = await signIn(service, { role: 'viewer', limitedTo: null })
    const elsewhere = await signIn(service)
    clock.nowMs += 9 * MINUTE_MS
    await answered(200, confirm(PASSWORD))
    clock.nowMs += 2 * MINUTE_MS

    await answered(200, reveal())
    const path = `/operator/workspaces/${service.workspaceId}/key`
    await readProblem(await elsewhere.request('GET', path), 403, 'CONFIRMATION_REQUIRED')
    await readProblem(await viewer.request('GET', path), 403, 'INSUFFICIENT_ROLE')
  })

  test('with wrong passwords is slowed down like signing in, together with changes of the password', async () => {
    clock.nowMs += 11 * MINUTE_MS
    for (let attempt = 0; attempt < 3; attempt++) await readProblem(await confirm('not this one'), 403, 'FORBIDDEN')
    const passwords = { current_password: 'not this one', password: 'a loud town at noon' }
    for (let attempt = 0; attempt < 2; attempt++)
      await readProblem(await operator.request('PUT', '/operator/password', passwords), 403, 'FORBIDDEN')

    const slowed = await confirm(PASSWORD)

    await readProblem(slowed, 429, 'RATE_LIMIT')
    assert.equal(slowed.headers.get('retry-after'), '1')
    await readProblem(await reveal(), 403, 'CONFIRMATION_REQUIRED')
    clock.nowMs += 1000
    await answered(200, confirm(PASSWORD))
    await answered(200, reveal())
  })

  test('cannot be given by an operator without a password, or from another site', async () => {
    const browser = await signIn(service)
    const body = { password: '' }

    await readProblem(await browser.request('POST', '/operator/session/confirmation', body), 403, 'FORBIDDEN')
    const cross = { 'Sec-Fetch-Site': 'cross-site' }
    const given = { password: PASSWORD }
    await readProblem(await operator.request('POST', '/operator/session/confirmation', given, cross), 403, 'FORBIDDEN')
  })
})
