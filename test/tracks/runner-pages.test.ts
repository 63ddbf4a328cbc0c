import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { AuditRecordList } from '../../src/operator/audit/schemas.ts'
import type { CreatedEvent } from '../../src/tracks/api/event-schemas.ts'
import type { ErasureReceiptList } from '../../src/tracks/erasure/schemas.ts'
import type { RunnerList } from '../../src/tracks/race/runner-schemas.ts'
import type { CheckpointList } from '../../src/tracks/race/schemas.ts'
import type { Share } from '../../src/tracks/shares/schemas.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { makePoints } from '../support/make-points.ts'
import { startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'

const NOW_MS = Date.UTC(2026, 4, 3, 12)
const MINUTE_MS = 60_000
const GPX = 'application/gpx+xml'

const PHONES = {
  ios: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
  android: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/137.0.0.0 Mobile Safari/537.36',
}

describeOn(databases, 'The page of a code', async (database) => {
  let nowMs = NOW_MS
  const service = await startService({ after }, database, { services: ['tracks'], signedIn: true, now: () => nowMs })
  const { answer, operator, request } = service

  /** Creates an event with Anna and Ben on its start list, who have a token each. */
  async function freshEvent(fields: object = {}) {
    const body = { name: 'Trail 2026', time_zone: 'Europe/Paris', starts_on: '2026-05-03', ...fields }
    const { id } = await answer<CreatedEvent>(201, 'POST', '/operator/events', body)
    const runners = [
      { user_id: 'anna', bib: '117', name: 'Anna <Martin>' },
      { user_id: 'ben', bib: '9', name: 'Ben Dubois' },
    ]
    await answer(200, 'PUT', `/operator/events/${id}/runners`, { runners })
    const tokenOf = async (token: object) =>
      await answer<{ id: string; token: string }>(201, 'POST', `/operator/events/${id}/tokens`, token)
    const personal = (userId: string) => tokenOf({ user_id: userId, permissions: ['record', 'read'] })
    return { id, tokenOf, personal }
  }

  /** Records points with a code, the last one at `lastMs`. */
  async function record(token: string, lastMs: number, fields: object = {}) {
    const phone = trackRequests((method, path, json) => request(method, path, json, { 'X-API-Key': token }))
    const trackId = await phone.create()
    const points = makePoints(5, lastMs - 4000)
    await phone.add(trackId, [...points.slice(0, -1), { ...points.at(-1)!, ...fields }])
    return { trackId, phone }
  }

  async function open(path: string, headers: Record<string, string> = {}) {
    const page = await fetch(service.url + path, { headers: { 'Accept-Language': 'en', ...headers } })
    return { status: page.status, headers: page.headers, html: await page.text() }
  }

  test('sets the apps up with the code, those for the own phone first', async () => {
    const event = await freshEvent()
    const { token } = await event.personal('anna')

    const [ios, android, computer] = [
      await open(`/r/${token}`, { 'User-Agent': PHONES.ios }),
      await open(`/r/${token}`, { 'User-Agent': PHONES.android }),
      await open(`/r/${token}`),
    ]

    assert.match(textOf(ios.html), /Trail 2026 · 3 May 2026 117 · Anna &#60;Martin&#62; You are not on the map yet/)
    assert.ok(!ios.html.includes('Anna <Martin>'))
    const apps = ['Traccar Client', 'Overland', 'OwnTracks', 'Apps for Android', 'OsmAnd', 'GPSLogger']
    assert.deepEqual(orderOf(ios.html, apps), apps)
    const others = ['Traccar Client', 'OwnTracks', 'OsmAnd', 'GPSLogger', 'Apps for an iPhone', 'Overland']
    assert.deepEqual(orderOf(android.html, others), others)
    assert.ok(!/Apps for/.test(computer.html))
    assert.ok(ios.html.includes(`overland://setup?url=${encodeURIComponent(`${service.url}/in/${token}/overland`)}`))
    assert.ok(!computer.html.includes('NAME'))
  })

  test('tells that positions arrive, how old the last one is, and the charge', async () => {
    const event = await freshEvent()
    const { token } = await event.personal('anna')
    await record(token, NOW_MS - 8000, { battery: 0.8 })

    const english = await open(`/r/${token}`)
    const french = await open(`/r/${token}?lang=fr`)

    assert.match(textOf(english.html), /You are on the map Last position 8 seconds ago \(13:59\) · battery 80\u00a0%/)
    assert.match(
      textOf(french.html),
      /Vous êtes sur la carte Dernière position il y a 8 secondes \(13:59\) · batterie 80/,
    )
    assert.ok(!/<details class="set-up" open>/.test(english.html))
  })

  test('tells of silence, of a pause and of the end', async () => {
    const event = await freshEvent({ no_signal_after_sec: 120 })
    const [silent, paused, over] = [await event.personal('a'), await event.personal('b'), await event.personal('c')]
    await record(silent.token, NOW_MS - 10 * MINUTE_MS)
    const waiting = await record(paused.token, NOW_MS - 1000)
    await waiting.phone.update(waiting.trackId, { state: 'paused' })
    const ended = await record(over.token, NOW_MS - MINUTE_MS)
    await ended.phone.finish(ended.trackId)

    assert.match(textOf((await open(`/r/${silent.token}`)).html), /Nothing arrives from your phone .*10 minutes ago/)
    assert.match(textOf((await open(`/r/${paused.token}`)).html), /Your recording is paused/)
    assert.match(textOf((await open(`/r/${over.token}`)).html), /Your recording has ended .*1 minute ago/)
  })

  test('takes a request for erasure, which can be taken back for three days, and then erases that person', async () => {
    const event = await freshEvent()
    const [anna, ben] = [await event.personal('anna'), await event.personal('ben')]
    const own = await record(anna.token, NOW_MS - 1000)
    const other = await record(ben.token, NOW_MS - 1000)
    const post = async (path: string, form: Record<string, string> = {}) =>
      await fetch(`${service.url}/r/${anna.token}/erasure${path}`, {
        method: 'POST',
        body: new URLSearchParams(form),
        redirect: 'manual',
        headers: { 'Accept-Language': 'en' },
      })
    const shown = async () => textOf((await open(`/r/${anna.token}/erasure`)).html)
    const state = async (id: string) => (await request('GET', `/operator/tracks/${id}`)).status
    const { erasures } = service.server.tracks!.deps

    const unconfirmed = await post('')
    assert.deepEqual([unconfirmed.status, /Tick the box/.test(await unconfirmed.text())], [422, true])
    assert.match(await shown(), /Have your data erased .*You no longer appear in the results/)
    const asked = await post('', { confirmed: 'yes' })
    assert.deepEqual([asked.status, asked.headers.get('location')], [303, `/r/${anna.token}/erasure`])
    await post('', { confirmed: 'yes' })
    const [receipt, ...others] = (await answer<ErasureReceiptList>(200, 'GET', '/operator/erasures')).erasures
    assert.deepEqual(
      [receipt.requested_by, receipt.finished_at, Date.parse(receipt.started_at) - NOW_MS, others],
      ['participant', null, 3 * 24 * 60 * MINUTE_MS, []],
    )
    assert.match(textOf((await open(`/r/${anna.token}`)).html), /will be erased on 6 May 2026/)
    await erasures.continueAll()
    assert.equal(await state(own.trackId), 200)

    assert.equal((await post('/take-back')).status, 303)
    assert.match(await shown(), /Have your data erased/)
    await post('', { confirmed: 'yes' })
    nowMs += 3 * 24 * 60 * MINUTE_MS
    await erasures.continueAll()
    nowMs = NOW_MS

    assert.deepEqual([await state(own.trackId), await state(other.trackId)], [404, 200])
    assert.equal((await open(`/r/${anna.token}`)).status, 401)
    assert.equal((await open(`/r/${ben.token}`)).status, 200)
    const { runners } = await answer<RunnerList>(200, 'GET', `/operator/events/${event.id}/runners`)
    assert.deepEqual(
      runners.map(({ name }) => name),
      ['Ben Dubois'],
    )
  })

  test('records requests for erasure in the audit log, without the code and the name', async () => {
    const event = await freshEvent()
    const { token } = await event.tokenOf({ user_id: 'eve', label: 'Eve Moreau', permissions: ['record', 'read'] })
    const crew = await event.tokenOf({ permissions: ['record'] })

    for (const path of ['erasure', 'erasure/take-back']) {
      const body = new URLSearchParams({ confirmed: 'yes' })
      const answered = await fetch(`${service.url}/r/${token}/${path}`, { method: 'POST', body, redirect: 'manual' })
      assert.equal(answered.status, 303)
    }

    const records = JSON.stringify(await answer(200, 'GET', '/operator/audit'))
    for (const action of ['requestOwnErasure', 'takeBackOwnErasure']) assert.ok(records.includes(action), action)
    assert.equal(records.includes(token), false)
    const own = JSON.stringify(
      (await answer<AuditRecordList>(200, 'GET', '/operator/audit?action=requestOwnErasure')).records,
    )
    assert.deepEqual([own.includes('Trail 2026'), own.includes('Eve')], [true, false])
    assert.equal((await open(`/r/${crew.token}/erasure`)).status, 404)
  })

  test('shows the own result and track, and nothing of another person', async () => {
    const event = await freshEvent()
    const [anna, ben] = [await event.personal('anna'), await event.personal('ben')]
    const course = await operator.send('PUT', `/operator/events/${event.id}/course`, makeGpx(LAKE), GPX)
    assert.equal(course.status, 200)
    const own = await record(anna.token, NOW_MS - 1000)
    const other = await record(ben.token, NOW_MS - 1000)

    const { html } = await open(`/r/${anna.token}`)

    assert.match(textOf(html), /Your result .*Last checkpoint .*Your track .* Download as GPX/)
    for (const secret of ['Ben', 'ben', other.trackId]) assert.ok(!html.includes(secret), secret)
    const file = await fetch(`${service.url}/r/${anna.token}/tracks/${own.trackId}/export?format=gpx`)
    assert.match(await file.text(), /<trkpt /)
    assert.equal((await open(`/r/${anna.token}/tracks/${other.trackId}/export?format=gpx`)).status, 404)
  })

  test('tells who has arrived, and not that the phone is silent', async () => {
    const event = await freshEvent()
    const { token } = await event.personal('anna')
    await operator.send('PUT', `/operator/events/${event.id}/course`, makeGpx(LAKE), GPX)
    await record(token, NOW_MS - 10 * MINUTE_MS)
    const { checkpoints } = await answer<CheckpointList>(200, 'GET', `/operator/events/${event.id}/checkpoints`)
    const checkpoint_id = checkpoints.find(({ kind }) => kind === 'finish')!.id

    const time = new Date(NOW_MS - 5 * MINUTE_MS).toISOString()
    await answer(200, 'PATCH', `/operator/events/${event.id}/times`, { bib: '117', checkpoint_id, time })

    assert.match(textOf((await open(`/r/${token}`)).html), /You have arrived Last position 10 minutes ago/)
  })

  test('leads to the live map of an event that is shared, as long as it is', async () => {
    const event = await freshEvent()
    const { token } = await event.personal('anna')
    const { trackId } = await record(token, NOW_MS)
    assert.ok(!(await open(`/r/${token}`)).html.includes('/s/'))
    const oneTrack = await answer<Share>(201, 'POST', `/operator/events/${event.id}/shares`, { track_id: trackId })
    assert.ok(!(await open(`/r/${token}`)).html.includes('/s/'))
    const share = await answer<Share>(201, 'POST', `/operator/events/${event.id}/shares`, {})

    const { html } = await open(`/r/${token}`)

    const path = new URL(share.url!).pathname
    assert.ok(html.includes(`href="${path}#runner-${trackId}"`))
    assert.ok(!html.includes(new URL(oneTrack.url!).pathname))
    await answer(204, 'DELETE', `/operator/shares/${share.id}`)
    assert.ok(!(await open(`/r/${token}`)).html.includes('/s/'))
  })

  test('keeps its address from other sites, search engines and caches', async () => {
    const { token } = await (await freshEvent()).personal('anna')

    const { headers, html } = await open(`/r/${token}`)

    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('x-robots-tag'), 'noindex')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('access-control-allow-origin'), null)
    assert.match(headers.get('content-security-policy')!, /default-src 'none'; .*frame-ancestors 'none'/)
    assert.match(html, /<meta name="robots" content="noindex">/)
  })

  test('with the code of the event says that it is nobody’s, and asks for a name', async () => {
    const event = await freshEvent()
    const { token } = await event.tokenOf({ permissions: ['record'], label: 'Volunteers' })

    const { html } = await open(`/r/${token}`)

    assert.match(textOf(html), /Record for this event All phones of the event use this code/)
    assert.match(html, /\/osmand\?id=NAME&#38;lat=/)
    assert.ok(!/Your data|Volunteers/.test(html))
  })

  test('is a page that tells nothing for a wrong, ended or too powerful code', async () => {
    const event = await freshEvent()
    const ended = await event.personal('anna')
    await answer(204, 'DELETE', `/operator/events/${event.id}/tokens/${ended.id}`)
    const strong = await event.tokenOf({ permissions: ['record', 'read'] })
    const manager = await event.tokenOf({ permissions: ['record', 'manage'] })
    const reader = await event.tokenOf({ permissions: ['read'], user_id: 'anna' })

    for (const [code, status] of [
      [ended.token, 401],
      ['trk_guessed', 401],
      [reader.token, 403],
      [strong.token, 404],
      [manager.token, 404],
    ] as const) {
      const page = await open(`/r/${code}`)
      assert.equal(page.status, status)
      assert.match(page.headers.get('content-type')!, /^text\/html/)
      assert.match(page.html, /This code is not valid|There is nothing at this address/)
      assert.ok(!page.html.includes('Trail 2026'))
    }
  })
})

describe('Guessing codes', () => {
  test('is limited by address', async (t) => {
    const service = await startService(t, databases[0], { services: ['tracks'], settings: { TRACKS_RATE_LIMIT: '5' } })
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await fetch(`${service.url}/r/trk_guess${i}`)).status)

    assert.equal(statuses[0], 401)
    assert.equal(statuses.at(-1), 429)
  })
})

/** Returns the visible text of a page, with single spaces. */
function textOf(html: string): string {
  return html
    .replace(/<(script|style)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/ +|\n/g, ' ')
    .replace(/ +/g, ' ')
}

/** Sorts texts by their first place in a page. */
function orderOf(html: string, texts: readonly string[]): string[] {
  return [...texts].sort((a, b) => html.indexOf(a) - html.indexOf(b))
}
