import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditRecordList } from '../../src/operator/audit/schemas.ts'
import type { Ranking } from '../../src/tracks/race/result-schemas.ts'
import type { ParticipantList, Runner, RunnerList } from '../../src/tracks/race/runner-schemas.ts'
import { describeTracks } from '../support/describe-service.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { openRace, racePoints } from '../support/race-requests.ts'

describeTracks('Participants', { signedIn: true }, async ({ service }) => {
  const { answer, operator } = service

  async function openList() {
    const race = await openRace(service)
    const csv = 'bib,name,category,user_id,phone\n1,Anna,F,anna,+33 6 12\n2,Bob,M,bob,\n3,Carl,M,,\n'
    await operator.send('PUT', `${race.path}/runners`, csv, 'text/csv')
    const path = `${race.path}/runners`
    return {
      ...race,
      runners: path,
      list: async () => (await answer<ParticipantList>(200, 'GET', `${race.path}/participants`)).participants,
      send: (method: string, body: object, rest = '') =>
        operator.send(method, path + rest, JSON.stringify(body), 'application/json'),
    }
  }
  type List = Awaited<ReturnType<Awaited<ReturnType<typeof openList>>['list']>>
  const inShort = (list: List) =>
    list.map(({ bib, name, category, phone, status }) => [bib, name, category, phone, status])

  test('are added, edited and removed one by one, and nothing else of the list changes', async () => {
    const race = await openList()
    const status = { status: 'dnf', status_at: '2026-05-03T09:00:00.000Z', status_place: 'Bridge' }
    await answer(200, 'PATCH', race.runners, { user_id: 'anna', ...status })
    const [anna, bob] = await race.list()

    const edited = await answer<Runner>(200, 'PATCH', race.runners, { user_id: 'anna', bib: '11', category: null })
    await answer(200, 'PATCH', race.runners, { user_id: 'bob', name: ' Bob B. ', phone: '0612' })
    const added = await answer<Runner>(201, 'POST', race.runners, { bib: '4', name: 'Dora', phone: '07' })
    await answer(204, 'POST', `${race.runners}/remove`, { user_id: '3' })

    assert.deepEqual(edited, { user_id: 'anna', bib: '11', name: 'Anna', category: null, ...status })
    assert.deepEqual([added.user_id, added.status, 'phone' in added], ['4', null, false])
    assert.deepEqual(await race.list(), [
      { ...anna, bib: '11', category: null },
      { ...bob, name: 'Bob B.', phone: '0612' },
      { ...bob, user_id: '4', bib: '4', name: 'Dora', category: null, phone: '07' },
    ])
    assert.equal(anna.phone, '+33 6 12')
    const { entries } = await answer<Ranking>(200, 'GET', `${race.path}/ranking`)
    assert.deepEqual(
      entries.map(({ bib, name }) => [bib, name]),
      [
        ['2', 'Bob B.'],
        ['4', 'Dora'],
        ['11', 'Anna'],
      ],
    )
    await answer(200, 'PATCH', race.runners, { user_id: 'bob', phone: null })
    assert.equal((await race.list())[1].phone, null)
  })

  test('are refused with a bib or a user_id that others have, without a name, and if there are none', async () => {
    const race = await openList()
    const before = await race.list()

    const places = [
      await wrongPlaces(await race.send('POST', { bib: '1', name: 'Eve' })),
      await wrongPlaces(await race.send('POST', { bib: '9', name: 'Eve', user_id: 'bob' })),
      await wrongPlaces(await race.send('POST', { bib: ' ', name: '', phone: '1'.repeat(41) })),
      await wrongPlaces(await race.send('PATCH', { user_id: 'anna', bib: '2' })),
      await wrongPlaces(await race.send('PATCH', { user_id: 'anna', name: 'A\u0007' })),
    ]

    assert.deepEqual(places, [['bib'], ['user_id'], ['bib', 'name', 'phone'].sort(), ['bib'], ['name']])
    await readProblem(await race.send('PATCH', { user_id: 'x', bib: '7' }), 404, 'NOT_FOUND')
    await readProblem(await race.send('POST', { user_id: 'x' }, '/remove'), 404, 'NOT_FOUND')
    assert.deepEqual(await race.list(), before)
  })

  test('keep phone numbers about which a new list says nothing', async () => {
    const race = await openList()

    await operator.send('PUT', race.runners, 'Dossard;Nom;Téléphone\n1;Anna;\n2;Bob;0699\n', 'text/csv')

    assert.deepEqual(inShort(await race.list()), [
      ['1', 'Anna', null, '+33 6 12', null],
      ['2', 'Bob', null, '0699', null],
    ])
    const { runners } = await answer<RunnerList>(200, 'GET', race.runners)
    assert.ok(runners.every((runner) => !('phone' in runner)))
  })

  test('show the token, when the phone was heard last, and its charge', async () => {
    const race = await openList()
    const tokens = `${race.path}/participant-tokens`
    await operator.send('POST', tokens, JSON.stringify({ participants: [{ user_id: 'bob' }] }), 'application/json')
    const points = racePoints(
      [
        [0, 0],
        [100, 0],
      ],
      { everySec: 5 },
    ).map((point, i) => ({ ...point, ...(i === 2 && { battery: 0.41 }) }))
    const id = await race.phone.create({ user_id: 'anna', start_ts: points[0].timestamp })
    await race.phone.add(id, points.slice(0, -1))

    const phones = async () =>
      (await race.list()).map((one) => [
        one.has_token,
        one.token_used_at,
        one.track_id,
        one.last_point_at,
        one.battery_percent,
      ])

    assert.deepEqual(await phones(), [
      [false, null, id, points.at(-2)!.timestamp, 41],
      [true, null, null, null, null],
      [false, null, null, null, null],
    ])
    await race.phone.add(id, [{ ...points.at(-1)!, battery: 0.39 }])
    assert.deepEqual((await phones())[0], [false, null, id, points.at(-1)!.timestamp, 39])
  })

  test('have their names nowhere in the audit log', async () => {
    const race = await openList()
    await answer(201, 'POST', race.runners, { bib: '4', name: 'Zenobia Quint' })

    await answer(200, 'PATCH', race.runners, { user_id: '4', name: 'Zenobia Quinta' })
    await answer(204, 'POST', `${race.runners}/remove`, { user_id: '4' })

    const log = await answer<AuditRecordList>(200, 'GET', '/operator/audit')
    const actions = log.records.map(({ action }) => action)
    assert.ok(['operatorCreateRunner', 'operatorDeleteRunner'].every((action) => actions.includes(action)))
    assert.ok(!JSON.stringify(log).includes('Zenobia'))
  })
})
