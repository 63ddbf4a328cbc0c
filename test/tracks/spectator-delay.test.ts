import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { SharedTrack } from '../../src/tracks/api/operator-track-schemas.ts'
import type { FrameJson, FrameLatest } from '../../src/tracks/frames/schemas.ts'
import type { LiveAsOf, LiveFrame, LivePoints } from '../../src/tracks/live/schemas.ts'
import type { Share, SharedTrackList, SharedView } from '../../src/tracks/shares/schemas.ts'
import type { EventReplay, TrackSeries } from '../../src/tracks/statistics/schemas.ts'
import { createEvent } from '../support/create-event.ts'
import { oneDatabase } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import type { WirePoint } from '../support/make-points.ts'
import { openEvents, type ReceivedEvent } from '../support/read-events.ts'
import { startService } from '../support/start-service.ts'

const DELAY_SEC = 600
const MINUTE_MS = 60_000
const API = new URL('../../docs/api/dashboard.openapi.json', import.meta.url)
/** Every address below a share, also those that are added after this test. */
const SHARED_PATHS = Object.keys((JSON.parse(readFileSync(API, 'utf8')) as { paths: object }).paths).filter((path) =>
  path.startsWith('/shares/'),
)
/** The tile of all points, with all tracks and with changes. */
const TILES = ['', '&whole=true'].map((query) => `tiles/11/1138/830?format=json${query}`)
const ISO_TIMES = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
/** The server's clock, which says nothing of a track. */
const OWN_TIMES = ['as_of']

const isReady = ({ event }: ReceivedEvent) => event === 'ready'

/** Returns all times in an answer: numbers and texts, and `start_ms` with the seconds since then. */
function timesIn(value: unknown, name = ''): number[] {
  if (OWN_TIMES.includes(name)) return []
  if (typeof value === 'number') return value > 1e12 && value < 1e14 ? [value] : []
  if (typeof value === 'string') return (value.match(ISO_TIMES) ?? []).map((text) => Date.parse(text))
  if (typeof value !== 'object' || value === null) return []
  const { start_ms: startMs, time_sec: timeSec } = value as { start_ms?: number; time_sec?: number[] }
  const relative = startMs === undefined ? [] : (timeSec ?? []).map((sec) => startMs + sec * 1000)
  return [...relative, ...Object.entries(value).flatMap(([key, inner]) => timesIn(inner, key))]
}

describeOn(oneDatabase, 'An event with a delay for spectators', async (database) => {
  let passedMs = 0
  /** The time at which the clock stands still; undefined while it goes. */
  let fixedMs: number | undefined
  const now = () => fixedMs ?? Date.now() + passedMs
  const service = await startService({ after }, database, { services: ['tracks'], signedIn: true, now })
  const { answer } = service

  /** A point for each minute, the last one so many minutes and a half ago, on a way north. */
  function pointsOf(minutesAgo: readonly [first: number, last: number]): WirePoint[] {
    const [first, last] = minutesAgo
    const nowMs = now()
    return Array.from({ length: first - last + 1 }, (_, i) => ({
      latitude: 46 + i / 60 / 100,
      longitude: 6.5,
      timestamp: new Date(nowMs - (first - i + 0.5) * MINUTE_MS).toISOString(),
    }))
  }

  async function freshEvent(delaySec: number | null = DELAY_SEC) {
    const fields = { name: 'Race', spectator_delay_sec: delaySec }
    const { id, phone } = await createEvent(service, fields)
    const { url } = await answer<Share>(201, 'POST', `/operator/events/${id}/shares`, { never_expires: true })
    const startTrack = async (title: string, minutesAgo: readonly [number, number]) => {
      const points = pointsOf(minutesAgo)
      const trackId = await phone.create({ title, start_ts: points[0].timestamp })
      await phone.add(trackId, points)
      return trackId
    }
    return { id, phone, startTrack, path: `/shares/${new URL(url!).pathname.slice(3)}` }
  }

  async function watch(t: TestContext, path: string) {
    const stream = await openEvents(`${service.url}${path}/live`)
    t.after(() => stream.close())
    return stream
  }

  /**
   * Returns everything that a spectator gets of a track: the body of each address, the snapshot of the stream, the
   * page.
   */
  async function everything(t: TestContext, path: string, trackId: string): Promise<unknown[]> {
    const bodies: unknown[] = []
    for (const shared of SHARED_PATHS) {
      const address = shared.replace('/shares/{token}', path).replace('{id}', trackId)
      if (address.includes('/frames/')) continue
      if (address.endsWith('/live')) bodies.push((await (await watch(t, path)).until(isReady)).map(({ data }) => data))
      else {
        const text = await (await service.request('GET', address)).text()
        bodies.push(text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text)
      }
    }
    bodies.push(await wholeFrame(path))
    const page = await service.request('GET', path.replace('/shares/', '/s/'))
    const html = await page.text()
    assert.match(html, /Shown 10 min late/)
    return [...bodies, html]
  }

  const latestFrame = (path: string) => answer<FrameLatest>(200, 'GET', `${path}/frames/latest`)
  const frame = (path: string, number: number, query = '') =>
    answer<FrameJson>(200, 'GET', `${path}/frames/${number}?format=json${query}`)

  async function wholeFrame(path: string): Promise<FrameJson> {
    const { key } = await latestFrame(path)
    return await frame(path, key, '&whole=true')
  }

  /** Waits until the figures of the event's only track have been computed. */
  async function figuresOf(path: string): Promise<NonNullable<SharedTrack['stats']>> {
    for (;;) {
      const { tracks } = await answer<SharedTrackList>(200, 'GET', `${path}/tracks`)
      if (tracks[0].stats !== null) return tracks[0].stats
      await wait(20)
    }
  }

  const latestShown = () => now() - DELAY_SEC * 1000

  test('tells spectators nothing later in any answer, and operators everything', async (t) => {
    const { id, startTrack, path } = await freshEvent()
    const trackId = await startTrack('Leader', [30, 0])

    const bodies = await everything(t, path, trackId)
    await figuresOf(path)
    bodies.push(...(await everything(t, path, trackId)))

    const times = bodies.flatMap((body) => timesIn(body))
    assert.ok(times.length > 60)
    assert.deepEqual(
      times.filter((timeMs) => timeMs > latestShown()),
      [],
    )
    assert.equal(JSON.stringify(bodies).includes('46.0035'), false)
    const stream = await openEvents(`${service.url}/operator/events/${id}/live`, undefined, service.operator.cookie)
    t.after(() => stream.close())
    const points = (await stream.until(isReady)).find(({ event }) => event === 'points')!.data as LivePoints
    assert.equal(points.latitude.at(-1), 46.005)
  })

  test('shows how things were: figures, count and last point of that time', async () => {
    const { startTrack, path } = await freshEvent()
    const trackId = await startTrack('Leader', [30, 0])
    const plain = await freshEvent(null)
    await plain.startTrack('The same until then', [30, 10])

    const figures = await figuresOf(path)
    const [track] = (await answer<SharedTrackList>(200, 'GET', `${path}/tracks`)).tracks
    const series = await answer<TrackSeries>(200, 'GET', `${path}/tracks/${trackId}/series`)
    const { tracks } = await answer<EventReplay>(200, 'GET', `${path}/replay`)

    // The shown time moves in steps of five seconds, and that of a replay in minutes.
    assert.equal(track.points_count, 21)
    assert.deepEqual(figures, await figuresOf(plain.path))
    assert.equal(series.time_ms.length, 21)
    assert.ok(tracks[0].time_sec.at(-1)! <= 20 * 60)
    assert.equal(track.updated_at, track.last_point_at)
  })

  test('hides a track that began later, and what has happened to others since then', async () => {
    const { phone, startTrack, path } = await freshEvent()
    const late = await startTrack('Late', [5, 0])
    const finished = await startTrack('Finished', [30, 2])
    await phone.finish(finished)
    const paused = await startTrack('Paused', [30, 3])
    await phone.update(paused, { state: 'paused' })
    const silent = await startTrack('Finished, long silent', [40, 20])
    await phone.update(silent, { state: 'stopped', end_ts: new Date(now() - 20 * MINUTE_MS).toISOString() })
    const points = pointsOf([40, 20])
    await phone.sync({ track: { title: 'Over before', end_ts: points.at(-1)!.timestamp }, points })

    const { tracks } = await answer<SharedTrackList>(200, 'GET', `${path}/tracks`)
    const first = await answer<SharedTrackList>(200, 'GET', `${path}/tracks?limit=1`)

    const states = tracks.map(({ title, state, end_ts }) => [title, state, end_ts === null])
    assert.deepEqual(states.sort(), [
      ['Finished, long silent', 'running', true],
      ['Finished', 'running', true],
      ['Over before', 'stopped', false],
      ['Paused', 'running', true],
    ])
    assert.ok(first.tracks[0].id !== late)
    assert.equal((await (await service.request('GET', `${path}/ranking`)).text()).includes(late), false)
    assert.equal((await service.request('GET', `${path}/tracks/${late}/series`)).status, 404)
  })

  test('keeps the statistics of a phone back that describe the whole activity', async () => {
    const { phone, path } = await freshEvent()
    const points = pointsOf([30, 0])
    const track = { title: 'Synced', start_ts: points[0].timestamp, end_ts: points[30].timestamp }
    await phone.sync({ track, points, stats: { distance_meters: 123_456, duration_sec: 1800 } })

    const figures = await figuresOf(path)

    assert.ok(figures.distance_meters < 4000, `${figures.distance_meters} m`)
    assert.equal(figures.duration_sec, 20 * 60)
  })

  test('shows live viewers more as time passes, and the end in its time', async (t) => {
    const { phone, startTrack, path } = await freshEvent()
    const trackId = await startTrack('Leader', [30, 4])
    await phone.finish(trackId)
    await startTrack('Late', [8, 0])
    const stream = await watch(t, path)
    const before = await stream.until(isReady)
    t.after(() => {
      passedMs = 0
    })

    passedMs = 3 * MINUTE_MS
    const isOfLeader = ({ event, data }: ReceivedEvent) =>
      event === 'points' && (data as LivePoints).track_id === trackId
    const more = await stream.until(isOfLeader)
    passedMs = 11 * MINUTE_MS
    const end = await stream.until(({ data }) => (data as SharedTrack).state === 'stopped')

    // A step of the shown time may pass before `ready`, and then a track comes twice.
    const shown = before.filter(({ event }) => event === 'track').map(({ data }) => (data as SharedTrack).title)
    assert.deepEqual([...new Set(shown)], ['Leader'])
    assert.equal((before.at(-1)!.data as LiveAsOf).delay_sec, DELAY_SEC)
    assert.equal((more.at(-1)!.data as LivePoints).time_ms.length, 3)
    assert.ok(timesIn(end.map(({ data }) => data)).every((timeMs) => timeMs <= latestShown()))
    assert.ok([...more, ...end].some(({ data }) => (data as SharedTrack).title === 'Late'))
  })

  describe('is the same whether or not phones go on inside the delay', () => {
    const COURSE = `<gpx><trk><trkseg>${[0, 1, 2, 3].map((i) => `<trkpt lat="${46 + i / 600}" lon="6.5"/>`).join('')}</trkseg></trk></gpx>`

    /** An event with the same four tracks, which have been silent for longer than the delay. */
    async function quietEvent() {
      const event = await freshEvent()
      const course = await service.operator.send(
        'PUT',
        `/operator/events/${event.id}/course`,
        COURSE,
        'application/gpx+xml',
      )
      assert.equal(course.status, 200)
      const ids: string[] = []
      for (const [i, title] of ['Points', 'Pause', 'End', 'Quiet'].entries()) {
        ids.push(await event.startTrack(title, [40 + i, 12 + i]))
      }
      const synced = { title: 'Resumed', start_ts: pointsOf([50, 20])[0].timestamp }
      const points = pointsOf([50, 20])
      ids.push(await event.phone.sync({ track: { ...synced, end_ts: points.at(-1)!.timestamp }, points }))
      return { ...event, ids }
    }
    type QuietEvent = Awaited<ReturnType<typeof quietEvent>>

    async function goOn({ phone, ids: [points, paused, ended, , resumed], startTrack }: QuietEvent) {
      await phone.add(points, pointsOf([8, 0]))
      await phone.update(paused, { state: 'paused' })
      await phone.finish(ended)
      await phone.update(resumed, { state: 'running' })
      await phone.add(resumed, pointsOf([1, 0]))
      const unseen = await startTrack('Unseen', [5, 0])
      const gone = await startTrack('Unseen and gone', [5, 0])
      await answer(204, 'DELETE', `/operator/tracks/${gone}`)
      await phone.add(unseen, pointsOf([0, 0]))
    }

    /** Makes the ids of an event those of every event. */
    const sameIds = (text: string, { path, id, ids }: QuietEvent) =>
      [path.slice('/shares/'.length), id, ...ids]
        .reduce((all, each, i) => all.replaceAll(each, `id-${i}`), text)
        .replace(/[\da-f]{8}-[\da-f-]{27}/g, 'another id')

    /** Returns the bytes and headers of each address below the share, its page and errors. */
    async function answersOf(event: QuietEvent) {
      const addresses = SHARED_PATHS.filter((path) => !/\/live$|\/frames\//.test(path)).flatMap((path) =>
        path.includes('{id}') ? event.ids.map((id) => path.replace('{id}', id)) : [path],
      )
      const paths = addresses.map((path) => path.replace('/shares/{token}', event.path))
      const page = event.path.replace('/shares/', '/s/')
      paths.push(`${event.path}/tracks?limit=2`, `${event.path}/nothing`, page, `${page}/results`, `${page}/replay`)
      return await Promise.all(
        paths.map(async (path) => {
          const answered = await service.request('GET', path, undefined, { 'accept-encoding': 'identity' })
          const headers = Object.fromEntries(answered.headers)
          for (const name of ['date', 'x-request-id', 'content-security-policy', 'ratelimit', 'ratelimit-policy'])
            delete headers[name]
          const random = /nonce="[^"]*"|content="[\w+/]{22}=="|"request_id":"[^"]*"|"next_cursor":"[^"]*"/g
          const body = (await answered.text()).replace(random, '')
          return sameIds(JSON.stringify({ path, status: answered.status, headers, body }), event)
        }),
      )
    }

    /** Returns what a stream has sent: the bytes of each event, without the server's own clock. */
    const sentOf = (events: readonly ReceivedEvent[], event: QuietEvent) =>
      events
        .filter(({ event: name }) => name !== 'as-of')
        .map(({ event: name, id, data }) => {
          const { as_of: _, lag_ms: __, ...rest } = data as Partial<LiveAsOf>
          return sameIds(JSON.stringify({ name, id, rest }), event)
        })

    test('in every answer, and in what a stream sends and when', async (t) => {
      const clock = { ms: Math.ceil(Date.now() / 60_000) * 60_000 + 30_000 }
      fixedMs = clock.ms
      t.after(() => {
        fixedMs = undefined
        passedMs = 0
      })
      const [still, going] = [await quietEvent(), await quietEvent()]
      const both = [still, going]
      for (const { path } of both) {
        for (;;) {
          const { tracks } = await answer<SharedTrackList>(200, 'GET', `${path}/tracks`)
          if (tracks.every(({ stats }) => stats !== null)) break
          await wait(20)
        }
      }
      const streams = await Promise.all(both.map(({ path }) => watch(t, path)))
      const snapshots = await Promise.all(streams.map((stream) => stream.until(isReady)))
      // The ranking has a feed of its own, which begins before or after the end of the snapshot.
      const asksToRead = ({ event }: ReceivedEvent) => event === 'ranking'
      for (const [i, events] of snapshots.entries()) if (!events.some(asksToRead)) await streams[i].until(asksToRead)
      const withoutRanking = (events: readonly ReceivedEvent[]) => events.filter((event) => !asksToRead(event))
      const sent: ReceivedEvent[][] = [[], []]
      const reading = streams.map((stream, i) =>
        stream
          .until((event) => {
            sent[i].push(event)
            return false
          })
          .catch(() => {}),
      )

      await goOn(going)
      await wait(3500)
      const before = sent.map((events, i) => sentOf(events, both[i]))
      fixedMs = clock.ms + 60_000
      await wait(2500)
      const after = sent.map((events, i) => sentOf(events, both[i]))
      const [ofStill, ofGoing] = [await answersOf(still), await answersOf(going)]
      const again = await Promise.all(
        both.map(({ path }) => openEvents(`${service.url}${path}/live`, String(fixedMs! - 5000))),
      )
      t.after(() => again.map((stream) => stream.close()))
      const whole = await Promise.all(again.map((stream) => stream.until(isReady)))

      const [ofFirst, ofSecond] = snapshots.map(withoutRanking)
      assert.deepEqual(sentOf(ofSecond, going), sentOf(ofFirst, still))
      assert.deepEqual(before, [[], []])
      assert.deepEqual(after, [[], []])
      for (const [i, answered] of ofStill.entries()) assert.equal(ofGoing[i], answered)
      const [wholeOfFirst, wholeOfSecond] = whole.map(withoutRanking)
      assert.deepEqual(sentOf(wholeOfSecond, going), sentOf(wholeOfFirst, still))
      assert.equal(whole[0].filter(({ event }) => event === 'track').length, 5)
      for (const stream of streams) stream.close()
      await Promise.all(reading)
    })

    /** Returns what the first frames of the present time show, without their numbers. */
    async function framesOf(event: QuietEvent, count: number): Promise<string[]> {
      for (;;) {
        const { key, numbers } = await latestFrame(event.path)
        const frames = await Promise.all(numbers.map((number) => frame(event.path, number)))
        const present = frames.filter(({ as_of }) => Date.parse(as_of) === fixedMs).slice(0, count)
        if (present.length === count) return await Promise.all(present.map((each) => contentsOf(event, each, key)))
        await wait(100)
      }
    }

    /** Returns what a frame shows, and how long it is. */
    async function contentsOf(event: QuietEvent, shown: FrameJson, key?: number): Promise<string> {
      const { number, as_of, delay_sec, tracks_left_out, tracks } = shown
      const body = await (await fetch(`${service.url}${event.path}/frames/${number}`)).arrayBuffer()
      const tiles = await Promise.all(
        TILES.map((tile) => answer<FrameJson>(200, 'GET', `${event.path}/frames/${number}/${tile}`)),
      )
      const shownInTiles = tiles.map((each) => [each.whole, each.as_of, each.tracks])
      const contents = {
        isKey: number === key,
        as_of,
        delay_sec,
        tracks_left_out,
        tracks,
        bytes: body.byteLength,
        shownInTiles,
      }
      return sameIds(JSON.stringify(contents), event)
    }

    /** Makes two such events, and returns them with what their first frames show. */
    async function rankedEvents(): Promise<{ both: QuietEvent[]; before: string[][] }> {
      // The first frame waits for the ranks, but not for long. On a busy machine it may have none.
      const hasRanks = ([first]: string[]) => (JSON.parse(first) as FrameJson).tracks.some(({ rank }) => rank)
      for (;;) {
        const both = [await quietEvent(), await quietEvent()]
        await Promise.all(both.map(({ path }) => answer(200, 'GET', `${path}/ranking`)))
        const before = await Promise.all(both.map((event) => framesOf(event, 1)))
        if (before.every(hasRanks)) return { both, before }
      }
    }

    test('in every frame', async (t) => {
      const clock = { ms: Math.ceil(Date.now() / 60_000) * 60_000 + 30_000 }
      fixedMs = clock.ms
      t.after(() => {
        fixedMs = undefined
      })
      const { both, before } = await rankedEvents()

      await goOn(both[1])
      const meanwhile = await Promise.all(both.map((event) => framesOf(event, 3)))
      fixedMs = clock.ms + 60_000
      const after = await Promise.all(both.map((event) => framesOf(event, 2)))

      for (const [ofStill, ofGoing] of [before, meanwhile, after]) assert.deepEqual(ofGoing, ofStill)
      assert.equal(JSON.parse(before[0][0]).tracks.length, 5)
      assert.equal(JSON.parse(after[0][1]).tracks.length, 0)
    })

    test('in a stream of frames', async (t) => {
      const clock = { ms: Math.ceil(Date.now() / 60_000) * 60_000 + 30_000 }
      fixedMs = clock.ms
      t.after(() => {
        fixedMs = undefined
      })
      const { both } = await rankedEvents()
      const streams = await Promise.all(both.map(({ path }) => openEvents(`${service.url}${path}/live?frames=bytes`)))
      t.after(() => streams.map((stream) => stream.close()))
      /** Returns the next frames of the present time as a stream sends them, without their numbers. */
      const sentTo = async (i: number, count: number): Promise<string[]> => {
        const sent: string[] = []
        while (sent.length < count) {
          const [{ event, id, data }] = await streams[i].until(() => true)
          const { number, key: _, numbers: __, lag_ms: ___, interval_sec: ____, bytes, ...rest } = data as LiveFrame
          if (bytes === undefined || Date.parse(rest.as_of) !== fixedMs) continue
          const shown = await contentsOf(both[i], await frame(both[i].path, number))
          sent.push(JSON.stringify({ event, id, rest, bytes: Buffer.from(bytes, 'base64').length, shown }))
        }
        return sent
      }

      await goOn(both[1])
      const meanwhile = await Promise.all([sentTo(0, 3), sentTo(1, 3)])
      fixedMs = clock.ms + 60_000
      const after = await Promise.all([sentTo(0, 2), sentTo(1, 2)])

      assert.deepEqual(meanwhile[1], meanwhile[0])
      assert.deepEqual(after[1], after[0])
    })
  })

  test('shows frames more as time passes, and nothing later', async (t) => {
    const { startTrack, path } = await freshEvent()
    const trackId = await startTrack('Leader', [30, 0])
    const before = await wholeFrame(path)
    t.after(() => {
      passedMs = 0
    })

    passedMs = 3 * MINUTE_MS
    for (;;) {
      const { numbers } = await latestFrame(path)
      const shown = (await Promise.all(numbers.map((number) => frame(path, number)))).flatMap((each) => each.tracks)
      for (const { at } of shown) assert.ok(Date.parse(at!) <= latestShown())
      if (shown.some(({ id, at }) => id === trackId && at! > before.tracks[0].at!)) break
      await wait(100)
    }

    assert.ok(Date.parse(before.tracks[0].at!) <= latestShown() - 3 * MINUTE_MS)
  })

  test('sends a viewer that reconnects what has come into view meanwhile', async (t) => {
    const { startTrack, path } = await freshEvent()
    await startTrack('Leader', [30, 0])
    const stream = await watch(t, path)
    const { id: lastEventId } = (await stream.until(isReady)).at(-1)!
    stream.close()
    t.after(() => {
      passedMs = 0
    })

    passedMs = 4 * MINUTE_MS
    const again = await openEvents(`${service.url}${path}/live`, lastEventId)
    t.after(() => again.close())
    const points = (await again.until(isReady)).filter(({ event }) => event === 'points')

    assert.ok(Number(lastEventId) <= latestShown())
    assert.equal(points.flatMap(({ data }) => (data as LivePoints).time_ms).length, 25)
  })

  test('begins at once for those who are watching, who come again', async (t) => {
    const { id, startTrack, path } = await freshEvent(null)
    await startTrack('Leader', [30, 0])
    const stream = await watch(t, path)
    await stream.until(isReady)

    await answer(200, 'PATCH', `/operator/events/${id}`, { spectator_delay_sec: DELAY_SEC })

    await assert.rejects(
      stream.until(() => false),
      /the stream ended/,
    )
    const { event } = await answer<SharedView>(200, 'GET', path)
    assert.equal(event.spectator_delay_sec, DELAY_SEC)
  })
})
