import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DecisionList, RankingEntry, TimesImported, TimesNoted } from '../../src/tracks/race/result-schemas.ts'
import { becomes } from '../support/becomes.ts'
import { describeTracks } from '../support/describe-service.ts'
import type { At } from '../support/make-race.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { AROUND, openRace, RACE_START_MS, racePoints } from '../support/race-requests.ts'

const at = (sec: number) => new Date(RACE_START_MS + sec * 1000).toISOString()

describeTracks('Times by hand', { signedIn: true }, async ({ service, once }) => {
  const { answer, operator } = service

  /** A race with one who finished after 1000 s, one who stopped half-way, and one without a phone. */
  async function openTimedRace() {
    const race = await openRace(service)
    await answer(200, 'PATCH', `${race.path}/race`, { race_starts_at: at(0) })
    await race.putRunners('1,Anna,,anna', '2,Bob,,bob', '3,Carl,,carl')
    const half: At[] = AROUND.slice(0, 3)
    await race.run('anna', AROUND, { speedMps: 4 })
    await race.run('bob', half, { speedMps: 4 })
    const { checkpoints } = await race.ranking()
    const finishId = checkpoints.at(-1)!.id
    const times = `${race.path}/times`
    return {
      ...race,
      finishId,
      times,
      set: (bib: string, time: string | null) =>
        answer<TimesNoted>(200, 'PATCH', times, { bib, checkpoint_id: finishId, time }),
      importCsv: (csv: string, query = '') => operator.send('POST', `${times}/import${query}`, csv, 'text/csv'),
      async finishes() {
        const { entries } = await race.ranking()
        return entries.map(({ bib, rank, finish_sec, passings }: RankingEntry) => {
          const last = passings.at(-1)
          return [bib, rank, finish_sec, finish_sec === null ? null : last?.source]
        })
      },
    }
  }

  test('count before imported ones, and those before the recording; all are kept, with who and when', async () => {
    const race = await openTimedRace()

    await race.set('3', at(900))
    await race.importCsv('bib;checkpoint;time\n1;finish;0:16:50,5\n3;Finish;0:20:00\n')

    assert.deepEqual(await race.finishes(), [
      ['3', 1, 900, 'manual'],
      ['1', 2, 1010.5, 'imported'],
      ['2', 3, null, null],
    ])
    const { entries } = await race.ranking()
    assert.equal(entries[1].passings.at(-1)!.recorded_time_ms, RACE_START_MS + 1025_000)
    await race.set('3', at(1100))
    const { times } = await race.set('3', null)
    assert.deepEqual(
      times.map(({ source, time }) => [source, time]),
      [
        ['manual', null],
        ['manual', at(1100)],
        ['imported', at(1200)],
        ['manual', at(900)],
      ],
    )
    const [{ noted_by }] = times
    assert.ok(noted_by.length > 0 && times.every((time) => time.noted_by === noted_by && time.noted_at.endsWith('Z')))
    assert.deepEqual(await answer(200, 'GET', `${race.times}?bib=3`), { times })
    assert.deepEqual((await race.finishes()).slice(0, 2), [
      ['1', 1, 1010.5, 'imported'],
      ['3', 2, 1200, 'imported'],
    ])
  })

  test('reach spectators and the results', async () => {
    const race = await openTimedRace()
    await race.set('2', at(1300))

    const token = await race.share()
    const csv = async () => await (await service.request('GET', `/shares/${token}/results?format=csv`)).text()

    // Spectators share a ranking that may be a second old.
    await becomes(csv, /\r\n2,,2,Bob,,finished,0:21:40\.0,1300,.*,manual\r\n/)
  })

  once('are refused for unknown bibs and checkpoints', async () => {
    const race = await openTimedRace()
    const body = { bib: '9', checkpoint_id: race.finishId, time: at(1) }

    await readProblem(
      await operator.send('PATCH', race.times, JSON.stringify(body), 'application/json'),
      404,
      'NOT_FOUND',
    )
    const other = { ...body, bib: '1', checkpoint_id: '00000000-0000-4000-8000-000000000000' }
    const wrong = await operator.send('PATCH', race.times, JSON.stringify(other), 'application/json')
    assert.deepEqual(await wrongPlaces(wrong), ['checkpoint_id'])
  })

  test('of a file are stored all or not at all, and only read with check', async () => {
    const race = await openTimedRace()
    const before = await race.finishes()

    const refused = await race.importCsv('bib,checkpoint,time\n1,Finish,0:15:00\n9,Finish,0:15:00\n2,Lake,15 h\n')
    const places = await wrongPlaces(refused)
    const checked = (await (
      await race.importCsv('dossard,point,temps\n1,East,0:05:00\n', '?check=true')
    ).json()) as TimesImported

    assert.deepEqual(places, ['line 3, bib', 'line 4, checkpoint', 'line 4, time'])
    assert.deepEqual(
      checked.times.map(({ bib, time }) => [bib, time]),
      [['1', at(300)]],
    )
    assert.deepEqual(await race.finishes(), before)
  })

  /** A race with one who stopped 60 m before the finish, and one whose phone fell silent 500 m before it. */
  async function openDoubtfulRace() {
    const race = await openRace(service)
    await answer(200, 'PATCH', `${race.path}/race`, { race_starts_at: at(0) })
    await race.putRunners('1,Anna,,anna', '2,Bob,,bob', '3,Carl,,carl')
    const upTo = (beforeM: number): At[] => [...AROUND.slice(0, 4), [0, beforeM]]
    const anna = await race.run('anna', upTo(60), { speedMps: 4 })
    const last = racePoints(upTo(500), { speedMps: 4 }).at(-1)!
    await race.phone.add(await race.run('bob', upTo(520), { speedMps: 4 }), [{ ...last, battery: 0.03 }])
    await race.run('carl', AROUND, { speedMps: 4 })
    const { checkpoints } = await race.ranking()
    const list = async () => await answer<DecisionList>(200, 'GET', `${race.path}/decisions`)
    return {
      ...race,
      anna,
      finish: checkpoints.at(-1)!,
      list,
      open: async () => (await list()).decisions.map(({ kind, bib }) => `${bib} ${kind}`),
      decide: (bib: string, time: string | null, status = 200) =>
        answer<TimesNoted>(status, 'POST', `${race.path}/decisions`, {
          bib,
          checkpoint_id: checkpoints.at(-1)!.id,
          time,
        }),
    }
  }

  test('are asked for where a recording leaves doubts', async () => {
    const race = await openDoubtfulRace()

    const { decisions, is_complete } = await race.list()

    assert.equal(is_complete, true)
    const [stop, silence, ...others] = decisions
    assert.deepEqual(stop, {
      kind: 'near_stop',
      bib: '1',
      name: 'Anna',
      track_id: race.anna,
      checkpoint: { id: race.finish.id, name: 'Finish' },
      time: stop.time,
      is_estimated: false,
      away_m: stop.away_m,
      counted_time: null,
      last_point_at: at(4040 / 4),
      battery_percent: null,
      shown_from: stop.shown_from,
      shown_until: stop.shown_until,
    })
    assert.ok(Math.abs(Date.parse(stop.time) - RACE_START_MS - 1010_000) < 1000)
    assert.ok(Math.abs(stop.away_m! - 60) < 2 && stop.shown_from < stop.time && stop.time < stop.shown_until)
    assert.deepEqual([silence.kind, silence.bib, silence.is_estimated, others], ['silent', '2', true, []])
    assert.ok(Math.abs(silence.away_m! - 500) < 5)
    assert.equal(silence.battery_percent, 3)
  })

  test('that were accepted or rejected are kept with name and time, and are not asked for again', async () => {
    const race = await openDoubtfulRace()
    const [stop] = (await race.list()).decisions

    await race.decide('1', stop.time)
    const { times } = await race.decide('2', null)

    assert.deepEqual(await race.open(), [])
    assert.deepEqual(
      times.map(({ source, time, checkpoint_id }) => [source, time, checkpoint_id]),
      [['rejected', null, race.finish.id]],
    )
    assert.ok(times[0].noted_by.length > 0)
    const { entries } = await race.ranking()
    assert.deepEqual(
      entries.map(({ bib, state, passings }) => [bib, state, passings.at(-1)!.source]),
      [
        ['1', 'finished', 'manual'],
        ['3', 'finished', 'crossing'],
        ['2', 'running', 'crossing'],
      ],
    )
    assert.equal(Math.round(entries[0].finish_sec!), Math.round((Date.parse(stop.time) - RACE_START_MS) / 1000))
  })

  test('come back once the decision is removed, and not for who has a status', async () => {
    const race = await openDoubtfulRace()
    await race.decide('1', at(1020))
    await race.decide('2', null)

    for (const bib of ['1', '2']) {
      await answer(200, 'PATCH', `${race.path}/times`, { bib, checkpoint_id: race.finish.id, time: null })
    }

    assert.deepEqual(await race.open(), ['1 near_stop', '2 silent'])
    await answer(200, 'PATCH', `${race.path}/runners`, { user_id: 'bob', status: 'dnf' })
    assert.deepEqual(await race.open(), ['1 near_stop'])
  })

  once('are not decided for unknown bibs and checkpoints', async () => {
    const race = await openDoubtfulRace()

    await race.decide('9', null, 404)
    const body = { bib: '1', checkpoint_id: '00000000-0000-4000-8000-000000000000', time: null }
    const wrong = await operator.send('POST', `${race.path}/decisions`, JSON.stringify(body), 'application/json')
    assert.deepEqual(await wrongPlaces(wrong), ['checkpoint_id'])
  })

  const bobIn = async (race: Awaited<ReturnType<typeof openTimedRace>>) =>
    (await race.ranking()).entries.find(({ bib }) => bib === '2')!

  test('say when and where somebody gave up, also after the list was replaced', async () => {
    const race = await openTimedRace()
    const status = { status: 'dnf', status_at: at(600), status_place: 'Bridge' }

    await answer(200, 'PATCH', `${race.path}/runners`, { user_id: 'bob', ...status })
    await operator.send('PUT', `${race.path}/runners`, 'bib,name,user_id,status\n2,Bob B.,bob,dnf\n', 'text/csv')

    const bob = await bobIn(race)
    assert.deepEqual({ ...bob, ...status }, bob)
    assert.equal(bob.name, 'Bob B.')
    await answer(200, 'PATCH', `${race.path}/runners`, { user_id: 'bob', status: null })
    const again = await bobIn(race)
    assert.deepEqual([again.status, again.status_at, again.status_place], [null, null, null])
  })

  once('are not ranked for who was over the limit', async () => {
    const race = await openTimedRace()

    await answer(200, 'PATCH', `${race.path}/runners`, { user_id: 'anna', status: 'over_limit' })

    const { entries } = await race.ranking()
    const anna = entries.find(({ bib }) => bib === '1')!
    assert.deepEqual([anna.rank, anna.status, anna.finish_sec], [null, 'over_limit', 1025])
  })
})
