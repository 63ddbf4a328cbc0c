import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { makePoints, type WirePoint } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'

const MEDIA_TYPES = {
  gpx: 'application/gpx+xml; charset=utf-8',
  tcx: 'application/vnd.garmin.tcx+xml; charset=utf-8',
  fit: 'application/vnd.ant.fit',
  geojson: 'application/geo+json; charset=utf-8',
  kml: 'application/vnd.google-earth.kml+xml; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
}

describeOn(databases, 'GET /tracks/:id/export', async (database, once) => {
  const { request, createEvent } = await startService({ after }, database, { services: ['tracks'] })
  const phone = trackRequests(request)
  const track = await phone.sync({ track: { title: 'Été/2026' }, points: makePoints(3) })
  const get = (query: string, headers?: Record<string, string>) =>
    request('GET', `/tracks/${track}/export${query}`, undefined, headers)
  const formatOf = (response: Response) => {
    const type = response.headers.get('content-type')
    return Object.entries(MEDIA_TYPES).find(([, one]) => one === type)?.[0] ?? type
  }

  test('sends the track in each format, as an attachment named after the title', async () => {
    for (const [format, type] of Object.entries(MEDIA_TYPES)) {
      const response = await get(`?format=${format}`)

      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), type)
      assert.equal(
        response.headers.get('content-disposition'),
        `attachment; filename="Ete_2026.${format}"; filename*=UTF-8''%C3%89t%C3%A9_2026.${format}`,
      )
      assert.ok((await response.arrayBuffer()).byteLength > 100)
    }
  })

  test('chooses the format by Accept, and the parameter before it', async () => {
    const chosen: [query: string, accept: string, format: string][] = [
      ['', '*/*', 'gpx'],
      ['', 'application/*', 'gpx'],
      ['', 'application/vnd.ant.fit', 'fit'],
      ['', 'text/csv;q=0.5, application/geo+json', 'geojson'],
      ['', 'application/json, application/vnd.google-earth.kml+xml;q=0.1', 'kml'],
      ['?format=tcx', 'text/csv', 'tcx'],
      ['?format=tcx', 'image/png', 'tcx'],
    ]
    for (const [query, accept, format] of chosen) {
      const response = await get(query, { Accept: accept })

      assert.equal(formatOf(response), format, `${query} ${accept}`)
      assert.match(response.headers.get('vary')!, /\bAccept\b/)
      await response.body?.cancel()
    }
  })

  test('answers 406 NOT_ACCEPTABLE for a media type that no format has', async () => {
    for (const accept of ['application/json', 'image/*', 'application/gpx+xml;q=0']) {
      const problem = await readProblem(await get('', { Accept: accept }), 406, 'NOT_ACCEPTABLE')

      assert.match(problem.detail, /application\/gpx\+xml/)
    }
  })

  test('answers 400 for an unknown format, which it names', async () => {
    const problem = await readProblem(await get('?format=xlsx'), 400, 'BAD_REQUEST')

    assert.equal(problem.errors?.[0].path, 'format')
  })

  test('answers 422 for FIT and TCX of a track without points, and sends the other formats', async () => {
    const empty = await phone.create()

    for (const format of Object.keys(MEDIA_TYPES)) {
      const response = await request('GET', `/tracks/${empty}/export?format=${format}`)
      if (format !== 'fit' && format !== 'tcx') {
        assert.equal(response.status, 200)
        await response.body?.cancel()
        continue
      }
      const problem = await readProblem(response, 422, 'UNPROCESSABLE')
      assert.match(problem.detail, new RegExp(`${format} file needs points`, 'i'))
    }
  })

  test('answers 422 for FIT of a track with times that FIT does not have', async () => {
    const old = await phone.sync({ points: makePoints(2, Date.UTC(1998, 5, 1)) })

    const problem = await readProblem(await request('GET', `/tracks/${old}/export?format=fit`), 422, 'UNPROCESSABLE')

    assert.match(problem.detail, /1998/)
  })

  test('answers 404 for a track of another event, before it looks at its points', async () => {
    const other = await createEvent('Other')

    const response = await request('GET', `/tracks/${track}/export?format=fit`, undefined, {
      'X-API-Key': other.token,
    })

    await readProblem(response, 404, 'NOT_FOUND')
  })

  test('sends the headers alone for HEAD', async () => {
    const response = await request('HEAD', `/tracks/${track}/export?format=fit`)

    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-disposition')!, /\.fit"/)
    assert.equal((await response.arrayBuffer()).byteLength, 0)
  })

  test('lets a page of another origin read the name of the file', async () => {
    const response = await get('', { Origin: 'https://app.example.org' })

    assert.match(response.headers.get('access-control-expose-headers')!, /Content-Disposition/)
    await response.body?.cancel()
  })

  test('has all points that the list has, while more arrive', async () => {
    const sent: WirePoint[] = makePoints(30_000)
    const id = await phone.sync({ points: sent.slice(0, 20_000) })

    const [csv] = await Promise.all([
      request('GET', `/tracks/${id}/export?format=csv`).then((response) => response.text()),
      phone.add(id, sent.slice(20_000)),
    ])

    const times = csv
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.slice(0, 24))
    assert.ok(times.length >= 20_000)
    assert.deepEqual(
      times,
      sent.slice(0, times.length).map(({ timestamp }) => timestamp),
    )
  })

  once('refuses more files at once than one event may have, until readers have left', async () => {
    const id = await phone.sync({ points: makePoints(50_000) })
    const download = () => request('GET', `/tracks/${id}/export?format=kml`)
    const waiting = await Promise.all(Array.from({ length: 12 }, download))

    const refused = waiting.filter(({ status }) => status === 429)
    assert.equal(refused.length, 4)
    for (const response of refused) assert.equal(response.headers.get('retry-after'), '10')
    await Promise.all(waiting.map((response) => response.body?.cancel()))
    let again = await download()
    while (again.status === 429) {
      await again.body?.cancel()
      await sleep(20)
      again = await download()
    }
    assert.match(await again.text(), /<\/kml>\n$/)
  })
})
