import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { readGpx } from '../../scripts/activity-file/read-gpx.ts'
import { createEvent } from '../support/create-event.ts'
import { describeTracks } from '../support/describe-service.ts'
import { makePoints } from '../support/make-points.ts'
import { readProblem } from '../support/problem.ts'
import { readZip } from '../support/read-zip.ts'

describeTracks('GET /operator/events/:id/export', { signedIn: true }, async ({ service }) => {
  const { request } = service

  async function download(eventId: string, format: string) {
    const response = await request('GET', `/operator/events/${eventId}/export?format=${format}`)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/zip')
    const files = await readZip(await response.bytes())
    const index = files.get('tracks.csv')!
    const lines: Record<string, string>[] = parse(index, { bom: true, columns: true })
    return { files, index, lines, response }
  }

  test('sends a file for each track, by start, with names that differ, and a list of them', async () => {
    const { id, phone } = await createEvent(service, { name: 'Été/2026' })
    const start = Date.UTC(2026, 4, 3, 6)
    const titles = ['Lake', 'lake', 'tracks', '../Lake']
    const ids: string[] = []
    for (const [i, title] of titles.entries()) {
      ids.push(
        await phone.sync({ track: { title, user_id: `runner-${i}` }, points: makePoints(i + 1, start + i * 1000) }),
      )
    }

    const { files, lines, response } = await download(id, 'gpx')

    const names = ['Lake.gpx', 'lake (2).gpx', 'tracks.gpx', '_._Lake.gpx']
    assert.deepEqual([...files.keys()].slice(-1), ['tracks.csv'])
    assert.deepEqual(
      lines.map(({ file, track_id, title, user_id, points_count }) => [file, track_id, title, user_id, points_count]),
      titles.map((title, i) => [[...files.keys()][i], ids[i], title, `runner-${i}`, String(i + 1)]),
    )
    assert.deepEqual([...files.keys()].slice(0, 3), names.slice(0, 3))
    titles.forEach((_, i) => {
      assert.equal(readGpx(Buffer.from(files.get(lines[i].file)!)).points.length, i + 1)
    })
    assert.match(response.headers.get('content-disposition')!, /filename\*=UTF-8''%C3%89t%C3%A9_2026\.zip$/)
  })

  test('names the tracks that the format cannot hold, with the reason', async () => {
    const { id, phone } = await createEvent(service, { name: 'Trail' })
    await phone.create({ title: 'Not started' })
    await phone.sync({ track: { title: 'Ran' }, points: makePoints(3) })

    for (const format of ['fit', 'tcx']) {
      const { files, lines } = await download(id, format)

      assert.deepEqual([...files.keys()], [`Ran.${format}`, 'tracks.csv'])
      const left = lines.find(({ title }) => title === 'Not started')!
      assert.equal(left.file, '')
      assert.match(left.left_out, /needs points/)
    }
  })

  test('lets no title become a formula in a spreadsheet', async () => {
    const { id, phone } = await createEvent(service, { name: 'Trail' })
    const texts = ['=HYPERLINK("http://x")', '+1', '-1', '@x', '\t=1']
    for (const text of texts) await phone.create({ title: text, user_id: text, device_track_id: text })

    const { lines } = await download(id, 'gpx')

    for (const { title, user_id, device_track_id, file } of lines) {
      for (const cell of [title, user_id, device_track_id, file]) assert.doesNotMatch(cell, /^[=+\-@\t]/)
    }
    assert.deepEqual(lines.map(({ title }) => title.slice(1)).toSorted(), texts.toSorted())
  })

  test('has all tracks of an event with more than a page of them, also of the same start', async () => {
    const { id, phone } = await createEvent(service, { name: 'Trail' })
    const track = { title: 'Sortie', start_ts: '2026-05-03T06:00:00Z' }
    for (let i = 0; i < 101; i++) await phone.create(track)

    const { files, lines } = await download(id, 'csv')

    assert.equal(files.size, 102)
    assert.equal(new Set(lines.map(({ track_id }) => track_id)).size, 101)
  })

  test('has the list alone for an event without tracks, and none of another event', async () => {
    const { id } = await createEvent(service, { name: 'Empty' })

    const { files, lines } = await download(id, 'kml')

    assert.deepEqual([[...files.keys()], lines], [['tracks.csv'], []])
  })

  test('answers 404 for an unknown event', async () => {
    const unknown = '/operator/events/00000000-0000-4000-8000-000000000000/export'

    await readProblem(await request('GET', unknown), 404, 'NOT_FOUND')
  })
})
