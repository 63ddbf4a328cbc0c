import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Ranking, RankingEntry, Results } from '../../src/tracks/race/result-schemas.ts'
import type { Race, SharedCourse } from '../../src/tracks/race/schemas.ts'
import { becomes } from '../support/becomes.ts'
import { databases } from '../support/databases.ts'
import { describeOn, describeTracks } from '../support/describe-service.ts'
import type { At } from '../support/make-race.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { AROUND, openRace, RACE_START_MS, racePoints } from '../support/race-requests.ts'
import { startService } from '../support/start-service.ts'

const summary = ({ bib, name, rank, category_rank, state }: RankingEntry) => [bib, name, rank, category_rank, state]
const HALF: At[] = AROUND.slice(0, 3)

describeTracks('The ranking', { signedIn: true }, async ({ service }) => {
  const { answer, request } = service

  /** A race with two who have finished, one under way, one who waits, and one who has not come. */
  async function raceUnderWay(fields: object = {}) {
    const race = await openRace(service, fields)
    await race.putRunners('12,Anna,F,anna', '7,Bob,M,bob', '3,Carl,M,carl', '4,Dora,F,dora', '5,Emil,M,emil')
    await race.run('bob', AROUND, { speedMps: 4 })
    await race.run('anna', AROUND, { speedMps: 3 })
    await race.run('carl', HALF, { speedMps: 3.5 })
    await race.run('dora', [
      [-100, 0],
      [-50, 0],
    ])
    return race
  }

  test('has who finished by time, then who runs by checkpoint, then who has not started', async () => {
    const race = await raceUnderWay()

    const { entries, checkpoints, is_complete } = await race.ranking()

    assert.equal(is_complete, true)
    assert.deepEqual(entries.map(summary), [
      ['7', 'Bob', 1, 1, 'finished'],
      ['12', 'Anna', 2, 1, 'finished'],
      ['3', 'Carl', 3, 2, 'running'],
      ['4', 'Dora', null, null, 'not-started'],
      ['5', 'Emil', null, null, 'not-started'],
    ])
    const [bob, anna, carl] = entries
    assert.deepEqual([bob.finish_sec, bob.gap_sec, anna.finish_sec, anna.gap_sec], [1000, 0, 1333.3, 333.3])
    assert.deepEqual(
      bob.passings.map(({ checkpoint_id, elapsed_sec }) => [checkpoint_id, elapsed_sec]),
      checkpoints.map(({ id }, i) => [id, [0, 237.5, 1000][i]]),
    )
    assert.deepEqual([carl.last_checkpoint?.name, carl.gap_sec], ['East', 950 / 3.5 - 237.5].map(rounded))
    assert.ok(Math.abs(carl.progress_m - 2000) < 5 && Math.abs(carl.distance_to_go_m - 2000) < 5)
    assert.deepEqual([entries[4].track_id, entries[4].progress_m, entries[4].distance_to_go_m], [null, 0, 4000])
  })

  test('finishes who ends the recording just before the line, and marks the time; not who stops 40 m before', async () => {
    const race = await openRace(service)
    await race.putRunners('1,Anna,,anna', '2,Bob,,bob', '3,Carl,,carl')
    const upTo = (beforeM: number): At[] => [...AROUND.slice(0, 4), [0, beforeM]]
    await race.run('carl', upTo(40), { speedMps: 4.5 })
    await race.run('anna', upTo(7), { speedMps: 4 })
    await race.run('bob', AROUND, { speedMps: 3 })

    const { entries } = await race.ranking()

    const finish = ({ passings, finish_sec, bib, state }: RankingEntry) => {
      const { source, away_m } = passings.at(-1)!
      return [bib, state, finish_sec, source, away_m]
    }
    assert.deepEqual(entries.map(finish), [
      ['1', 'finished', rounded(3993 / 4), 'stop', 7],
      ['2', 'finished', 1333.3, 'crossing', null],
      ['3', 'running', null, 'crossing', null],
    ])
  })

  test('counts from the common start where there is one, and has the net time, too', async () => {
    const race = await raceUnderWay()
    await answer(200, 'PATCH', `${race.path}/race`, {
      race_starts_at: new Date(RACE_START_MS + 10_000).toISOString(),
    })

    const [bob] = (await race.ranking()).entries

    // 100 m at 4 m/s before the line: the common start was 15 seconds before Bob crossed it.
    assert.deepEqual([bob.gun_sec, bob.net_sec, bob.finish_sec], [1015, 1000, 1015])
    assert.equal((await race.ranking()).time_basis, 'gun')
  })

  test('counts the net time of a race with a common start if it wants that, also as CSV', async () => {
    const race = await raceUnderWay()
    assert.equal((await race.ranking()).time_basis, 'net')
    const race_starts_at = new Date(RACE_START_MS + 10_000).toISOString()
    await answer(200, 'PATCH', `${race.path}/race`, { race_starts_at })
    await race.ranking()

    const set = await answer<Race>(200, 'PATCH', `${race.path}/race`, { time_basis: 'net' })

    assert.deepEqual([set.time_basis, set.race_starts_at], ['net', race_starts_at])
    const { time_basis, entries } = await race.ranking()
    const [bob] = entries
    assert.equal(time_basis, 'net')
    assert.deepEqual([bob.gun_sec, bob.net_sec, bob.finish_sec], [1015, 1000, 1000])
    assert.equal(bob.passings.at(-1)?.elapsed_sec, 1000)
    const csv = await (await service.request('GET', `${race.path}/results?format=csv`)).text()
    const [head, row] = csv.split('\r\n').map((line) => line.split(','))
    const cells = ['finish_sec', 'net_sec', 'gun_sec'].map((name) => row[head.indexOf(name)])
    assert.deepEqual(cells, ['1000', '1000', '1015'])
    const wrong = await service.request('PATCH', `${race.path}/race`, { time_basis: 'chip' })
    assert.deepEqual(await wrongPlaces(wrong), ['time_basis'])
  })

  test('takes a runner out who did not finish or was disqualified', async () => {
    const race = await raceUnderWay()
    await answer(200, 'PATCH', `${race.path}/runners`, { user_id: 'bob', status: 'dsq' })

    const { entries } = await race.ranking()

    assert.deepEqual(summary(entries[0]), ['12', 'Anna', 1, 1, 'finished'])
    assert.deepEqual([entries.at(-1)?.name, entries.at(-1)?.status, entries[0].gap_sec], ['Bob', 'dsq', 0])
  })

  test('ranks all tracks where there is no start list, by their titles', async () => {
    const race = await openRace(service)
    await race.run(undefined, AROUND, { speedMps: 3 })
    await race.run('bob', AROUND, { speedMps: 4 })

    assert.deepEqual((await race.ranking()).entries.map(summary), [
      [null, 'Track of bob', 1, null, 'finished'],
      [null, 'Track of undefined', 2, null, 'finished'],
    ])
  })

  test('takes the track of a runner that covers the course best', async () => {
    const race = await openRace(service)
    await race.putRunners('7,Bob,M,bob')
    await race.run('bob', HALF, { speedMps: 4 })
    const whole = await race.run('bob', AROUND, { speedMps: 3, startSec: 60 })

    const { entries } = await race.ranking()

    assert.deepEqual([entries.length, entries[0].track_id], [1, whole])
  })

  test('is the same in whatever order points come', async () => {
    const race = await openRace(service)
    const points = racePoints(AROUND, { speedMps: 3, everySec: 5 })
    const id = await race.phone.create({ title: 'Bob' })
    const [first, second, third] = [0, 90, 180].map((from, i) => points.slice(from, [90, 180, undefined][i]))
    await race.phone.add(id, third)
    await race.ranking()
    await race.phone.add(id, first)
    await race.ranking()
    await race.phone.add(id, second)
    const other = await race.phone.create({ title: 'Bob' })
    await race.phone.add(other, points)

    const [a, b] = (await race.ranking()).entries

    assert.equal(a.state, 'finished')
    assert.deepEqual({ ...a, track_id: '' }, { ...b, track_id: '' })
  })

  test('is computed again when a checkpoint moves, also by another instance, and follows deletions', async () => {
    const race = await openRace(service)
    const id = await race.run('bob', AROUND, { speedMps: 4 })
    assert.equal((await race.ranking()).entries[0].passings[1].elapsed_sec, 237.5)
    const another = await service.startAnother()
    const token = await race.share()
    const elsewhere = async () => await another.answer<Ranking>(200, 'GET', `/shares/${token}/ranking`)
    assert.equal((await elsewhere()).entries[0].passings[1].elapsed_sec, 237.5)

    await race.putEast(90)

    assert.equal((await race.ranking()).entries[0].passings[1].elapsed_sec, 227.5)
    await untilCurrent(async () => (await elsewhere()).entries[0].passings[1].elapsed_sec === 227.5)
    await answer(204, 'DELETE', `/operator/tracks/${id}`)
    assert.deepEqual((await race.ranking()).entries, [])
  })

  test('continues from what was stored before a crash, and keeps nothing of a deleted track', async () => {
    const race = await openRace(service)
    const points = racePoints(AROUND, { speedMps: 4 })
    const id = await race.phone.create({ title: 'Bob' })
    await race.phone.add(id, points.slice(0, 400))
    await race.ranking()
    const { db } = service.server.tracks!.deps
    const stored = async () =>
      await db.selectFrom('followed_tracks').selectAll().where('track_id', '=', id).executeTakeFirst()
    await untilCurrent(async () => (await stored()) !== undefined)
    // The instance dies here. Another one has what was stored, points that came later, and some that come late.
    await race.phone.add(id, points.slice(401))
    const another = await service.startAnother()
    const path = `/shares/${await race.share()}/ranking`
    const [ahead] = (await another.answer<Ranking>(200, 'GET', path)).entries
    await race.phone.add(id, points.slice(400, 401))

    const [entry] = (await race.ranking()).entries

    assert.deepEqual([ahead.state, entry.state, entry.finish_sec], ['finished', 'finished', 1000])
    await answer(204, 'DELETE', `/operator/tracks/${id}`)
    assert.equal(await stored(), undefined)
  })

  test('counts only the shown part of a track', async () => {
    const race = await openRace(service)
    const id = await race.run('bob', AROUND, { speedMps: 4 })
    const shown_until = new Date(RACE_START_MS + 500_000).toISOString()

    await answer(200, 'PATCH', `/operator/tracks/${id}`, { shown_until })

    const [entry] = (await race.ranking()).entries
    assert.deepEqual([entry.state, entry.last_checkpoint?.name], ['running', 'East'])
  })

  test('goes when its event is deleted, with all that was stored for it', async () => {
    const race = await raceUnderWay()
    const { checkpoints } = await race.ranking()
    const time = { bib: '7', checkpoint_id: checkpoints[0].id, time: new Date(RACE_START_MS).toISOString() }
    await answer(200, 'PATCH', `${race.path}/times`, time)
    const { db } = service.server.tracks!.deps
    const rows = async () => {
      const tables = [
        db.selectFrom('races').select('event_id').where('event_id', '=', race.id),
        db.selectFrom('runners').select('event_id').where('event_id', '=', race.id),
        db.selectFrom('runner_times').select('event_id').where('event_id', '=', race.id),
      ]
      return (await Promise.all(tables.map((table) => table.execute()))).flat().length
    }
    assert.equal(await rows(), 7)

    await answer(204, 'DELETE', race.path)
    await answer(204, 'DELETE', `/operator/bin/events/${race.id}`)

    await readProblem(await request('GET', `${race.path}/ranking`), 404, 'NOT_FOUND')
    await untilCurrent(async () => (await rows()) === 0)
  })

  test('is shown to spectators with the course, without users and devices', async () => {
    const race = await raceUnderWay()
    const token = await race.share()

    const ranking = await answer<Ranking>(200, 'GET', `/shares/${token}/ranking`)
    const course = await answer<SharedCourse>(200, 'GET', `/shares/${token}/course`)

    const { entries } = await race.ranking()
    assert.deepEqual(ranking.entries, entries)
    assert.ok(!JSON.stringify(ranking).includes('"anna"'))
    assert.deepEqual(
      course.checkpoints.map(({ name }) => name),
      ['Start', 'East', 'Finish'],
    )
    const one = await race.share({ track_id: entries[1].track_id })
    const alone = await answer<Ranking>(200, 'GET', `/shares/${one}/ranking`)
    assert.deepEqual(alone.entries.map(summary), [['12', 'Anna', 2, 1, 'finished']])
  })

  test('shows spectators nothing later than the delay of the event', async () => {
    const race = await openRace(service, { spectator_delay_sec: 600 })
    const nowSec = (Date.now() - RACE_START_MS) / 1000
    // Finished two minutes ago, and passed the east 11.7 minutes before that.
    await race.run('bob', AROUND, { speedMps: 4, startSec: nowSec - 120 - 1050 })
    const token = await race.share()

    const shown = (await answer<Ranking>(200, 'GET', `/shares/${token}/ranking`)).entries[0]
    const results = (await answer<Results>(200, 'GET', `/shares/${token}/results`)).entries[0]

    assert.equal((await race.ranking()).entries[0].state, 'finished')
    assert.deepEqual([shown.state, shown.last_checkpoint?.name, shown.passings.length], ['running', 'East', 2])
    assert.ok(shown.progress_m > 1900 && shown.progress_m < 2250, String(shown.progress_m))
    assert.deepEqual([results.state, results.finish_sec], ['running', null])
  })
})

describeOn(databases, 'GET /events/:id/results', async (database, once) => {
  const service = await startService({ after }, database, { services: ['tracks'], signedIn: true })

  async function finishedRace() {
    const race = await openRace(service)
    await race.putRunners('12,"=HYPERLINK(""x"")",F,anna', '7,"Zoé, dite ""Z""",F,zoe')
    await race.run('anna', AROUND, { speedMps: 4 })
    await race.run('zoe', AROUND, { speedMps: 3 })
    const read = async (headers: Record<string, string>, query = '') =>
      await fetch(`${service.url}/events/${race.id}/results${query}`, { headers })
    const lacksClimbs = async () => {
      const { entries } = (await (await read({ 'X-API-Key': race.token })).json()) as Results
      return entries.some(({ elevation_gain_m }) => elevation_gain_m === undefined)
    }
    // The figures of tracks come a little later than their places.
    while (await lacksClimbs()) await wait(50)
    return { ...race, read }
  }

  test('gives JSON with an app token of the event or the token of a share', async () => {
    const race = await finishedRace()
    const share = await race.share()

    const [app, shared] = [
      await race.read({ 'X-API-Key': race.token }),
      await race.read({ Authorization: `Bearer ${share}` }),
    ]

    const results = (await app.json()) as Results
    assert.deepEqual([app.status, results.event], [200, 'Lake run'])
    assert.deepEqual(
      results.entries.map(({ rank, bib, finish_sec }) => [rank, bib, finish_sec]),
      [
        [1, '12', 1000],
        [2, '7', 1333.3],
      ],
    )
    assert.deepEqual(((await shared.json()) as Results).entries, results.entries)
  })

  once('gives CSV that a spreadsheet opens, without formulas', async () => {
    const race = await finishedRace()

    const [byAccept, byFormat] = [
      await race.read({ 'X-API-Key': race.token, Accept: 'text/csv' }),
      await race.read({ 'X-API-Key': race.token }, '?format=csv'),
    ]

    assert.equal(byFormat.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
    assert.match(byFormat.headers.get('content-disposition')!, /^attachment; filename="Lake run results.csv"/)
    const bytes = Buffer.from(await byFormat.arrayBuffer())
    assert.deepEqual(Buffer.from(await byAccept.arrayBuffer()), bytes)
    const [header, first, second] = bytes.toString().split('\r\n')
    assert.match(header, /^\ufeffrank,category_rank,bib,name,category,status,finish_time,/)
    assert.match(header, /,East time,East elapsed_sec,East interval_sec,East source,/)
    assert.match(first, /^1,1,12,"'=HYPERLINK\(""x""\)",F,finished,0:16:40\.0,1000,/)
    assert.match(second, /^2,2,7,"Zoé, dite ""Z""",F,finished,0:22:13\.3,1333\.3,/)
  })

  once('refuses who has no token, and the tokens of other events', async () => {
    const [race, other] = [await finishedRace(), await finishedRace()]

    await readProblem(await race.read({}), 401, 'UNAUTHORIZED')
    await readProblem(await race.read({ 'X-API-Key': 'trk_wrong' }), 401, 'UNAUTHORIZED')
    await readProblem(await race.read({ 'X-API-Key': other.token }), 404, 'NOT_FOUND')
    await readProblem(await race.read({ 'X-API-Key': await other.share() }), 404, 'NOT_FOUND')
  })
})

function rounded(value: string | number) {
  return typeof value === 'number' ? Math.round(value * 10) / 10 : value
}

/** Waits until another instance, or work in the background, has caught up. */
async function untilCurrent(isCurrent: () => Promise<boolean>): Promise<void> {
  await becomes(isCurrent, true)
}
