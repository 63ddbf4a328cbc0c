import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CreatedEvent } from '../../src/tracks/api/event-schemas.ts'
import type { RunnerList } from '../../src/tracks/race/runner-schemas.ts'
import type { CheckpointList, Course, Race } from '../../src/tracks/race/schemas.ts'
import { describeTracks } from '../support/describe-service.ts'
import { LAKE, makeGpx, placeAt } from '../support/make-course.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'

const NO_STATUS = { status: null, status_at: null, status_place: null }

describeTracks('The race of an event', { signedIn: true }, async ({ service }) => {
  const { answer, operator } = service

  async function freshEvent() {
    const { id } = await answer<CreatedEvent>(201, 'POST', '/operator/events', { name: 'Trail' })
    const path = `/operator/events/${id}`
    const send = async (method: string, rest: string, body: string, type: string) =>
      await operator.send(method, path + rest, body, type)
    return {
      path,
      putCourse: async (gpx = makeGpx(LAKE)) => await send('PUT', '/course', gpx, 'application/gpx+xml'),
      putCsv: async (csv: string) => await send('PUT', '/runners', csv, 'text/csv; charset=utf-8'),
    }
  }

  test('PUT …/course takes a GPX track, and gives it a start and a finish', async () => {
    const { path, putCourse } = await freshEvent()

    const response = await putCourse()

    assert.equal(response.status, 200)
    const course = await answer<Course>(200, 'GET', `${path}/course`)
    assert.equal(course.name, 'Around the lake')
    assert.ok(Math.abs(course.length_m - 4000) < 20, String(course.length_m))
    assert.equal(course.line.distance_m.at(-1), course.length_m)
    const { checkpoints } = await answer<CheckpointList>(200, 'GET', `${path}/checkpoints`)
    assert.deepEqual(
      checkpoints.map(({ name, kind, course_distance_m }) => [name, kind, course_distance_m]),
      [
        ['Start', 'start', 0],
        ['Finish', 'finish', course.length_m],
      ],
    )
  })

  for (const [accepted, names] of [
    ['fr-CA, en;q=0.5', ['Départ', 'Arrivée']],
    ['de', ['Start', 'Finish']],
  ] as const) {
    test(`PUT …/course names start and finish for ${accepted}, and never again`, async () => {
      const { path } = await freshEvent()
      const put = async (language: string) =>
        await operator.send('PUT', `${path}/course`, makeGpx(LAKE), 'application/gpx+xml', {
          'Accept-Language': language,
        })
      await put(accepted)

      await put('en, fr;q=0.1')

      const { checkpoints } = await answer<CheckpointList>(200, 'GET', `${path}/checkpoints`)
      assert.deepEqual(
        checkpoints.map(({ name }) => name),
        names,
      )
    })
  }

  test('PUT …/course takes a route, too', async () => {
    const { putCourse } = await freshEvent()

    assert.equal((await putCourse(makeGpx(LAKE, 'route'))).status, 200)
  })

  const refused = {
    'no XML': ['hello', /not well-formed/],
    'a document type': ['<!DOCTYPE gpx [<!ENTITY a "a">]><gpx/>', /document type/],
    'an entity': ['<gpx><trk><name>&a;</name></trk></gpx>', /not well-formed/],
    'no points': ['<gpx version="1.1"/>', /neither a track nor a route/],
    'another document': ['<kml/>', /no GPX/],
    'a place off the globe': ['<gpx><trk><trkseg><trkpt lat="91" lon="0"/></trkseg></trk></gpx>', /point 1/],
    'a number that is not decimal': [
      '<gpx><rte><rtept lat="0x2d" lon="6"/></rte></gpx>',
      /valid lat and lon in point 1/,
    ],
    'deep nesting': [`<gpx>${'<a>'.repeat(100)}`, /nested deeper/],
  } as const
  for (const [what, [gpx, expected]] of Object.entries(refused)) {
    test(`PUT …/course refuses ${what}, and says so`, async () => {
      const { path, putCourse } = await freshEvent()

      const problem = await readProblem(await putCourse(gpx), 400, 'BAD_REQUEST')

      assert.match(problem.detail!, expected)
      await readProblem(await service.request('GET', `${path}/course`), 404, 'NOT_FOUND')
    })
  }

  test('PUT …/checkpoints places lines and circles on the course', async () => {
    const { path, putCourse } = await freshEvent()
    await putCourse()
    const { checkpoints } = await answer<CheckpointList>(200, 'GET', `${path}/checkpoints`)
    const [start, finish] = checkpoints
    const shape = { type: 'circle', ...LAKE[1], radius_m: 40 }

    const list = await answer<CheckpointList>(200, 'PUT', `${path}/checkpoints`, {
      checkpoints: [start, { name: 'East', kind: 'checkpoint', shape }, finish],
    })

    assert.deepEqual([list.checkpoints[0], list.checkpoints[2]], [start, finish])
    assert.ok(Math.abs(list.checkpoints[1].course_distance_m - 960) < 10)
    assert.deepEqual(await answer(200, 'GET', `${path}/checkpoints`), list)
  })

  test('PUT …/checkpoints names a checkpoint that is not on the course, and stores nothing', async () => {
    const { path, putCourse } = await freshEvent()
    await putCourse()
    const before = await answer<CheckpointList>(200, 'GET', `${path}/checkpoints`)
    const shape = { type: 'circle', latitude: 10, longitude: 10, radius_m: 40 }
    const body = { checkpoints: [before.checkpoints[0], { name: 'Far', kind: 'checkpoint', shape }] }

    const response = await service.request('PUT', `${path}/checkpoints`, body)

    assert.deepEqual(await wrongPlaces(response), ['checkpoints/1/shape'])
    assert.deepEqual(await answer(200, 'GET', `${path}/checkpoints`), before)
  })

  test('PUT …/checkpoints asks for a course first', async () => {
    const { path } = await freshEvent()

    await readProblem(await service.request('PUT', `${path}/checkpoints`, { checkpoints: [] }), 409, 'CONFLICT')
  })

  test('PUT …/course keeps the checkpoints, and refuses a course that does not pass them', async () => {
    const { path, putCourse } = await freshEvent()
    await putCourse()
    const before = await answer<CheckpointList>(200, 'GET', `${path}/checkpoints`)

    assert.equal((await putCourse()).status, 200)
    const elsewhere = LAKE.map(({ latitude, longitude }) => ({ latitude: latitude + 1, longitude }))
    const problem = await readProblem(await putCourse(makeGpx(elsewhere)), 409, 'CONFLICT')

    assert.match(problem.detail!, /“Start”/)
    assert.deepEqual(await answer(200, 'GET', `${path}/checkpoints`), before)
    await answer(204, 'DELETE', `${path}/course`)
    assert.equal((await putCourse(makeGpx(elsewhere))).status, 200)
  })

  for (const [name, delimiter] of [
    ['commas', ','],
    ['semicolons', ';'],
    ['tabs', '\t'],
  ]) {
    test(`PUT …/runners reads CSV with ${name}, quotes and a byte order mark`, async () => {
      const { path, putCsv } = await freshEvent()
      const lines = [
        ['Dossard', 'Nom', 'Catégorie', 'user_id'],
        ['12', '"Martin, Anna; dite ""Nina"""', 'F40', 'anna@example.org'],
        ['7', 'Bob', '', 'bob'],
      ]

      const response = await putCsv(`\ufeff${lines.map((line) => line.join(delimiter)).join('\r\n')}\r\n`)

      assert.equal(response.status, 200)
      assert.deepEqual(await answer<RunnerList>(200, 'GET', `${path}/runners`), {
        runners: [
          {
            user_id: 'anna@example.org',
            bib: '12',
            name: 'Martin, Anna; dite "Nina"',
            category: 'F40',
            ...NO_STATUS,
          },
          { user_id: 'bob', bib: '7', name: 'Bob', category: null, ...NO_STATUS },
        ],
      })
    })
  }

  test('PUT …/runners?check=true reads a list and stores nothing', async () => {
    const { path } = await freshEvent()
    const check = async (csv: string) => await operator.send('PUT', `${path}/runners?check=true`, csv, 'text/csv')

    const read = (await (await check('bib,name\n1,Anna\n')).json()) as RunnerList
    assert.deepEqual(read.runners, [{ user_id: '1', bib: '1', name: 'Anna', category: null, ...NO_STATUS }])
    assert.deepEqual(await wrongPlaces(await check('bib,name\n,Bob\n')), ['line 2, bib'])
    const excel = (await (await check('Dossard;Nom;Année;;Club\n1;Anna;1988;;CAF\n')).json()) as RunnerList
    assert.deepEqual(excel.ignored_columns, ['Année', 'Club'])
    assert.deepEqual(await answer<RunnerList>(200, 'GET', `${path}/runners`), { runners: [] })
    await readProblem(await operator.send('PUT', `${path}/runners?check=maybe`, '', 'text/csv'), 400, 'BAD_REQUEST')
  })

  test('PUT …/runners names each wrong line, and keeps the list before', async () => {
    const { path, putCsv } = await freshEvent()
    await putCsv('bib,name\n1,Anna\n')

    const response = await putCsv('bib,name,user_id\n1,Anna,a\n,Bob,b\n1,Carl,c\n\n4,Dora,a\n5,,e\n')

    assert.deepEqual(await wrongPlaces(response), ['line 3, bib', 'line 4, bib', 'line 6, user_id', 'line 7, name'])
    const { runners } = await answer<RunnerList>(200, 'GET', `${path}/runners`)
    assert.deepEqual(runners, [{ user_id: '1', bib: '1', name: 'Anna', category: null, ...NO_STATUS }])
    // The bib stands for the user_id, which is no second mistake.
    assert.deepEqual(await wrongPlaces(await putCsv('bib,name\n1,Anna\n1,Bob\n')), ['line 3, bib'])
    assert.deepEqual(await wrongPlaces(await putCsv('bib,name,user_id\n1,Anna,2\n2,Bob,\n')), ['line 3, user_id'])
  })

  test('PUT …/runners refuses lost letters, open quotes and a missing header', async () => {
    const { putCsv } = await freshEvent()

    await readProblem(await putCsv('bib,name\n1,"Anna\n'), 400, 'BAD_REQUEST')
    await readProblem(await putCsv('1,Anna\n'), 400, 'BAD_REQUEST')
    assert.deepEqual(await wrongPlaces(await putCsv('bib,name\n1,Anna\n2,Zo\ufffd\n')), ['line 3'])
  })

  test('PUT …/runners reads what Excel saves on a French Windows, with names in two columns', async () => {
    const { path } = await freshEvent()
    const excel = Buffer.from('N° dossard;Prénom;Nom;Catégorie\r\n7;Chloé;Nuñez;F40\r\n8;;Équipe 2;\r\n', 'latin1')

    assert.equal((await operator.send('PUT', `${path}/runners`, excel, 'text/csv')).status, 200)

    const { runners } = await answer<RunnerList>(200, 'GET', `${path}/runners`)
    assert.deepEqual(runners, [
      { user_id: '7', bib: '7', name: 'Chloé Nuñez', category: 'F40', ...NO_STATUS },
      { user_id: '8', bib: '8', name: 'Équipe 2', category: null, ...NO_STATUS },
    ])
  })

  test('PUT …/runners leaves a status about which the list says nothing', async () => {
    const { path, putCsv } = await freshEvent()
    const statuses = async () => {
      const { runners } = await answer<RunnerList>(200, 'GET', `${path}/runners`)
      return runners.map(({ bib, status, status_place }) => [bib, status, status_place])
    }
    await putCsv('bib,name,user_id\n1,Anna,anna\n2,Bob,bob\n3,Carl,carl\n')
    await answer(200, 'PATCH', `${path}/runners`, { user_id: 'anna', status: 'dnf', status_place: 'km 12' })
    await answer(200, 'PATCH', `${path}/runners`, { user_id: 'bob', status: 'dsq' })

    // Anna has another phone, Bob another bib, and Anna's former phone is that of Dora.
    await putCsv('bib,name,user_id,status\n1,Anna,a,\n22,Bob,bob,\n4,Dora,anna,\n3,Carl,carl,dns\n')

    const kept = [
      ['1', 'dnf', 'km 12'],
      ['22', 'dsq', null],
      ['4', null, null],
    ]
    assert.deepEqual(await statuses(), [...kept, ['3', 'dns', null]])
    await answer(200, 'PUT', `${path}/runners`, {
      runners: [
        { user_id: 'a', bib: '1', name: 'Anna', status: null },
        { user_id: 'bob', bib: '22', name: 'Bob' },
      ],
    })
    assert.deepEqual(await statuses(), [['1', null, null], kept[1]])
  })

  test('PUT …/runners takes JSON, and PATCH sets that a runner did not finish', async () => {
    const { path } = await freshEvent()
    const runners = [{ user_id: 'a/b', bib: '1', name: 'Anna' }]
    await answer(200, 'PUT', `${path}/runners`, { runners })

    await answer(200, 'PATCH', `${path}/runners/a%2Fb`, { status: 'dnf' })

    const list = await answer<RunnerList>(200, 'GET', `${path}/runners`)
    assert.deepEqual(list.runners, [
      { user_id: 'a/b', bib: '1', name: 'Anna', category: null, ...NO_STATUS, status: 'dnf' },
    ])
    await readProblem(await service.request('PATCH', `${path}/runners/x`, { status: 'dnf' }), 404, 'NOT_FOUND')
    const unknown = { user_id: 'x', status: 'dnf' }
    await readProblem(await service.request('PATCH', `${path}/runners`, unknown), 404, 'NOT_FOUND')
    const wrong = await service.request('PUT', `${path}/runners`, { runners: [{ bib: 1, name: 'Anna' }] })
    assert.deepEqual(await wrongPlaces(wrong), ['runners/0/bib'])
  })

  test('PATCH …/race sets the common start', async () => {
    const { path, putCourse } = await freshEvent()
    await putCourse()

    await answer(200, 'PATCH', `${path}/race`, {
      race_starts_at: '2026-05-03T09:00:00+02:00',
      starts_at_ms: 0,
      unknown: 1,
    })

    const race = await answer<Race>(200, 'GET', `${path}/race`)
    assert.deepEqual(
      [race.race_starts_at, race.checkpoints_count, race.runners_count],
      ['2026-05-03T07:00:00.000Z', 2, 0],
    )
  })

  test('PATCH …/race states the climb of the course, which a new course keeps and its removal takes back', async () => {
    const { path, putCourse } = await freshEvent()
    await putCourse()
    await answer(200, 'PATCH', `${path}/race`, { race_starts_at: '2026-05-03T07:00:00.000Z' })
    const { climb_m: estimated } = await answer<Race>(200, 'GET', `${path}/race`)
    const climbs = async () => {
      const race = await answer<Race>(200, 'GET', `${path}/race`)
      return [race.climb_m, race.stated_climb_m, race.estimated_climb_m, race.race_starts_at]
    }

    await answer(200, 'PATCH', `${path}/race`, { stated_climb_m: 2480 })
    await putCourse()

    assert.deepEqual(await climbs(), [2480, 2480, estimated, '2026-05-03T07:00:00.000Z'])
    assert.equal((await answer<Course>(200, 'GET', `${path}/course`)).climb_m, 2480)
    for (const stated_climb_m of [-1, 100_001, '2480']) {
      const wrong = await service.request('PATCH', `${path}/race`, { stated_climb_m })
      assert.deepEqual(await wrongPlaces(wrong), ['stated_climb_m'])
    }
    await answer(200, 'PATCH', `${path}/race`, { stated_climb_m: null })
    assert.deepEqual(await climbs(), [estimated, null, estimated, '2026-05-03T07:00:00.000Z'])
    await answer(200, 'PATCH', `${path}/race`, { stated_climb_m: 2480 })
    await operator.send('DELETE', `${path}/course`, '', 'text/plain')
    assert.deepEqual(await climbs(), [null, null, null, '2026-05-03T07:00:00.000Z'])
  })

  test('PATCH …/race names the course, which is there', async () => {
    const { path, putCourse } = await freshEvent()
    const name = async (course_name: unknown) => await service.request('PATCH', `${path}/race`, { course_name })
    await readProblem(await name('Loop'), 409, 'CONFLICT')
    await putCourse()

    for (const wrong of ['', ' ', 'x'.repeat(201), null])
      assert.deepEqual(await wrongPlaces(await name(wrong)), ['course_name'])
    assert.equal(((await (await name('Loop')).json()) as Race).course_name, 'Loop')

    assert.equal((await answer<Course>(200, 'GET', `${path}/course`)).name, 'Loop')
  })

  test('PUT …/course leaves out altitudes that leap away and back', async () => {
    const { path, putCourse } = await freshEvent()
    const places = Array.from({ length: 100 }, (_, i) => placeAt(i * 10, 0))

    await putCourse(makeGpx(places).replace('<ele>40</ele>', '<ele>182</ele>'))

    const { line } = await answer<Course>(200, 'GET', `${path}/course`)
    assert.equal(Math.max(...line.altitude.map(Number)), 99)
  })

  test('answer 404 for an event that does not exist', async () => {
    const path = '/operator/events/00000000-0000-4000-8000-000000000000'
    for (const rest of ['course', 'checkpoints', 'runners', 'race']) {
      await readProblem(await service.request('GET', `${path}/${rest}`), 404, 'NOT_FOUND')
    }
    await readProblem(await service.request('PUT', `${path}/runners`, { runners: [] }), 404, 'NOT_FOUND')
    await readProblem(await service.request('DELETE', `${path}/course`), 404, 'NOT_FOUND')
  })
})
