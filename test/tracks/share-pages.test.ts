import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { CheckpointList } from '../../src/tracks/race/schemas.ts'
import type { Share } from '../../src/tracks/shares/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { LAKE, makeGpx } from '../support/make-course.ts'
import { makePoints } from '../support/make-points.ts'
import { startService } from '../support/start-service.ts'
import { wanderingNoise } from '../support/wandering-noise.ts'

const NOW_MS = Date.UTC(2026, 4, 3, 12)
const HOUR_MS = 3_600_000
const GPX = 'application/gpx+xml'

/** The server's picture of a course, with dots for runners who have ended early and for those who have arrived. */
const PICTURE =
  /<svg class="picture" [^>]*><path class="way" d="([^"]*)"\/><path class="ended" d="([^"]*)"\/><path class="stopped" d="([^"]*)"\/><\/svg>/

describeOn(oneDatabase, 'The page of a share', async (database) => {
  const service = await startService({ after }, database, {
    services: ['tracks'],
    signedIn: true,
    now: () => NOW_MS,
  })
  const { answer, operator, request } = service

  /** Creates an event with a track. `share` returns the path of its page. */
  async function freshEvent(fields: object = {}) {
    const body = { name: 'Trail 2026', starts_on: '2026-05-03', time_zone: 'Europe/Paris', ...fields }
    const { id, phone } = await createEvent(service, body)
    const start = async (title: string, startMs: number, points = 5) => {
      const trackId = await phone.create({ title, user_id: 'secret-user' })
      if (points > 0) await phone.add(trackId, makePoints(points, startMs))
      return trackId
    }
    const share = async (share: object = {}) => {
      const made = await answer<Share>(201, 'POST', `/operator/events/${id}/shares`, share)
      return { id: made.id, path: new URL(made.url!).pathname }
    }
    /** Finishes a track. Its figures are on pages once they are stored, for which the answer does not wait. */
    const finish = async (trackId: string) => {
      await phone.finish(trackId)
      const { db } = service.server.tracks!.deps
      const stored = db
        .selectFrom('tracks')
        .innerJoin('track_details', 'track_details.track_id', 'tracks.id')
        .select('tracks.id')
        .where('tracks.id', '=', trackId)
        .whereRef('computed_revision', '=', 'revision')
      while ((await stored.executeTakeFirst()) === undefined) await wait(20)
    }
    return { id, phone, start, finish, share }
  }

  /** Reads a page as a browser does, in English unless told otherwise. */
  async function read(path: string, language = 'en') {
    const page = await fetch(service.url + path, { headers: { 'Accept-Language': language, Accept: 'text/html' } })
    return { status: page.status, headers: page.headers, html: await page.text() }
  }

  test('tells of everyone as HTML: name, state, distance, time, last position and its age', async () => {
    const event = await freshEvent()
    const anna = await event.start('Anna', NOW_MS - 3 * 60_000)
    await event.start('Zoe', NOW_MS - 2 * HOUR_MS)
    await event.start('Ben', NOW_MS, 0)
    await event.finish(anna)
    const { path } = await event.share()

    const { status, html } = await read(path)

    assert.equal(status, 200)
    const [ben, zoe, finished] = entriesOf(html).map(textOf)
    assert.equal(ben, 'Ben In progress no points yet')
    assert.match(zoe, /^Zoe No signal since 12:0\d 48\.\d{5}, 2\.\d{5} · 1 hour ago \(12:0\d\)$/)
    assert.match(finished, /^Anna Finished \d+ m · 0:\d\d · 48\.\d{5}, 2\.\d{5} · \d minutes ago \(13:5\d\)$/)
    assert.ok(html.includes('<h1 dir="auto">Trail 2026</h1>'))
    assert.match(textOf(html), /3 May 2026 .*2 in progress · 1 finished As of 14:00 \(CEST\) Reload/)
    assert.ok(!html.includes('secret-user'))
    assert.match(
      html,
      /<svg class="picture" [^>]*><path class="stopped" d="M\d+ \d+h0"\/><path class="silent" d="M\d+ \d+h0"\/><\/svg>/,
    )
  })

  test('goes by the race where there is one: who has arrived, with place and time, and nobody else, has finished', async () => {
    const event = await freshEvent()
    const course = await operator.send('PUT', `/operator/events/${event.id}/course`, makeGpx(LAKE), GPX)
    assert.equal(course.status, 200)
    const runners = [
      { user_id: 'anna', bib: '7', name: 'Anna' },
      { user_id: 'ben', bib: '9', name: 'Ben' },
    ]
    await answer(200, 'PUT', `/operator/events/${event.id}/runners`, { runners })
    for (const { user_id } of runners) {
      const trackId = await event.phone.create({ user_id })
      await event.phone.add(trackId, makePoints(5, NOW_MS - HOUR_MS))
      await event.finish(trackId)
    }
    const imported = await event.phone.create({ title: 'Reconnaissance' })
    await event.phone.add(imported, makePoints(5, NOW_MS - HOUR_MS))
    await event.finish(imported)
    const { checkpoints } = await answer<CheckpointList>(200, 'GET', `/operator/events/${event.id}/checkpoints`)
    for (const { id, kind } of checkpoints) {
      const time = new Date(NOW_MS - (kind === 'start' ? HOUR_MS : HOUR_MS / 2)).toISOString()
      await answer(200, 'PATCH', `/operator/events/${event.id}/times`, { bib: '7', checkpoint_id: id, time })
    }
    const { path } = await event.share()

    const { html } = await read(path)

    const [anna, other, ben] = entriesOf(html).map(textOf)
    assert.match(other, /^Reconnaissance Finished /)
    assert.match(anna, /^7 · Anna Finished Place 1 · 30:00 · \d+ \w+ ago/)
    assert.match(ben, /^9 · Ben Ended early (?!.*\d\.\d{5})/)
    assert.match(textOf(html), /2 finished · 1 ended early/)
    const [, way, ended, finished] = PICTURE.exec(html)!
    assert.equal(way, 'M144 336L456 336L456 24L144 24L144 336')
    assert.deepEqual(
      [ended, finished].map((dots) => dots.split('h0').length),
      [2, 3],
    )
  })

  test('tells of a pause, however long it has been silent', async () => {
    const event = await freshEvent()
    const anna = await event.start('Anna', NOW_MS - 2 * HOUR_MS)
    await event.phone.update(anna, { state: 'paused' })
    const { path } = await event.share()

    const { html } = await read(path)

    assert.match(textOf(html), /Anna Paused .* 1 hour ago/)
  })

  test('is in the language that the browser prefers, or that its address asks for', async () => {
    const event = await freshEvent()
    await event.start('Anna', NOW_MS)
    const { path } = await event.share()

    const [german, french, asked] = [
      await read(path, 'de'),
      await read(path, 'fr-CH, en;q=0.5'),
      await read(`${path}?lang=fr`),
    ]

    assert.ok(german.html.includes('<html lang="en">'))
    assert.match(french.html, /<html lang="fr">.*1 en cours.*à l’instant/s)
    assert.ok(asked.html.includes('<html lang="fr">'))
    assert.ok(asked.html.includes(`href="${path}/replay?lang=fr"`))
    assert.ok(french.html.includes(`href="${path}/replay"`))
  })

  test('of a track tells of this track alone, with its event and the time of its start', async () => {
    const event = await freshEvent()
    const anna = await event.start('Anna', NOW_MS - 60_000)
    await event.start('Ben', NOW_MS)
    await event.finish(anna)
    const { path } = await event.share({ track_id: anna })

    const { html } = await read(path)

    const text = textOf(html)
    assert.match(text, /Anna Trail 2026 · 3 May 2026/)
    assert.match(text, /Finished As of 14:00 .* Distance \d+ m Time 0:\d\d Average .* Start .* Last position 48\./)
    // Tokens are random, and can contain any letters.
    assert.doesNotMatch(html, /\bBen\b/)
  })

  test('says how far the climb of a track may be from its estimate, in both languages', async () => {
    const event = await freshEvent()
    const noise = wanderingNoise(600, 2, { keep: 0.97, seed: 1 })
    const points = makePoints(600, NOW_MS - 700_000).map((point, i) => ({ ...point, altitude: 400 + i + noise[i] }))
    const trackId = await event.phone.create({ title: 'Anna' })
    await event.phone.add(trackId, points)
    await event.finish(trackId)
    const { path } = await event.share({ track_id: trackId })

    const pages = [await read(path), await read(path, 'fr')]

    assert.match(textOf(pages[0].html), /Climb \d{3}\sm\s±\s\d+ Start/)
    assert.match(textOf(pages[1].html), /D\+ \d{3}\sm\s±\s\d+ Départ/)
  })

  test('escapes titles, also in previews and in the data for the script', async () => {
    const title = '</script><script>alert(1)</script>"<b>'
    const event = await freshEvent({ name: title })
    await event.start(title, NOW_MS)
    const { path } = await event.share()

    const { html } = await read(path)

    assert.ok(!html.includes('<script>alert'))
    assert.ok(!html.includes('<b>'))
    assert.equal(html.match(/<script/g)?.length, html.match(/<\/script>/g)?.length)
  })

  test('shows chats and social networks a title and a description, but no position', async () => {
    const event = await freshEvent()
    const anna = await event.start('Anna', NOW_MS)
    const [whole, one] = [await event.share(), await event.share({ track_id: anna })]

    const [ofEvent, ofTrack] = [await read(whole.path), await read(one.path)].map(({ html }) => previewOf(html))

    assert.equal(ofEvent['og:title'], 'Trail 2026')
    assert.equal(ofEvent['og:description'], '3 May 2026 · Follow everyone on a live map, without an app or an account.')
    assert.equal(ofEvent['twitter:card'], 'summary_large_image')
    assert.equal(ofEvent['og:image'], `${service.url}/s/_/card.png`)
    const picture = await fetch(ofEvent['og:image'])
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
    const bytes = Buffer.from(await picture.arrayBuffer())
    const [width, height] = [16, 20].map((at) => bytes.readUInt32BE(at))
    assert.deepEqual([ofEvent['og:image:width'], ofEvent['og:image:height']], [String(width), String(height)])
    assert.equal(ofTrack['og:title'], 'Anna')
    assert.match(ofTrack['og:description'], /^Trail 2026 · 3 May 2026/)
    assert.ok(!/\d\.\d{3}/.test(JSON.stringify([ofEvent, ofTrack])))
  })

  test('keeps its address to itself, allows no inline script, and sets no cookie', async () => {
    const event = await freshEvent()
    const { path } = await event.share()

    const { headers } = await read(path)

    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('x-robots-tag'), 'noindex')
    assert.equal(headers.get('cache-control'), 'private, no-cache')
    assert.match(headers.get('vary')!, /Accept-Language/)
    assert.deepEqual(headers.getSetCookie(), [])
    const policy = headers.get('content-security-policy')!
    assert.match(policy, /script-src 'self';/)
    assert.ok(!policy.includes('unsafe'))
  })

  test('may be framed by other sites in its compact form only', async () => {
    const event = await freshEvent()
    const { path } = await event.share()

    const [page, embedded] = [await read(path), await read(`${path}?embed`)]

    assert.match(page.headers.get('content-security-policy')!, /frame-ancestors 'none'/)
    assert.equal(page.headers.get('x-frame-options'), 'DENY')
    assert.match(embedded.headers.get('content-security-policy')!, /frame-ancestors \*/)
    assert.equal(embedded.headers.get('x-frame-options'), null)
    assert.match(embedded.html, /<body[^>]* class="embedded">/)
  })

  test('lists the 200 with the latest news, and says how many there are', async () => {
    const event = await freshEvent()
    for (let number = 0; number < 203; number++) await event.start(`Runner ${number}`, NOW_MS, 0)
    const { path } = await event.share()

    const { html } = await read(path)

    assert.equal(entriesOf(html).length, 200)
    assert.match(html, /This list shows the 200 of 203 with the latest positions\./)
  })

  test('says kindly that a link has ended or is unknown, as HTML with the status of it', async () => {
    const event = await freshEvent()
    const { id, path } = await event.share()
    await answer(204, 'DELETE', `/operator/shares/${id}`)

    const ended = await read(path, 'fr')
    const unknown = [await read('/s/shr_unknown'), await read(`${path}/nothing`), await read('/s/%')]

    assert.equal(ended.status, 410)
    assert.match(ended.html, /<html lang="fr">.*Partage terminé/s)
    for (const { status, headers, html } of unknown) {
      assert.equal(status, 404)
      assert.match(headers.get('content-type')!, /^text\/html/)
      assert.match(html, /There is nothing at this address/)
    }
    const refused = await request('GET', '/s/_/assets/../../package.json')
    assert.equal(refused.status, 404)
  })
})

/** Returns the entries of the lists in a page's content, without the tabs above it. */
function entriesOf(html: string): string[] {
  return [...html.slice(html.indexOf('<main')).matchAll(/<li>(.*?)<\/li>/gs)].map(([, entry]) => entry)
}

/** Returns the text that a reader sees, with single spaces. */
function textOf(html: string): string {
  return html
    .replace(/<(style|script)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code)))
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
}

/** Returns the Open Graph and Twitter properties of a page. */
function previewOf(html: string): Record<string, string> {
  return Object.fromEntries(
    [...html.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]*)" content="([^"]*)">/g)].map(
      ([, name, content]) => [name, content],
    ),
  )
}
