import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { PointInput, TrackChanges, TrackFields } from '../../../clients/typescript/src/queue/wire.ts'
import { clientTypes } from '../../../scripts/docs/client-types.ts'
import { databases } from '../../support/databases.ts'
import { numberedPages } from '../../support/make-pdf-examples.ts'
import type { SendRequest } from '../../support/track-requests.ts'
import { sender, startProgram } from '../start-program.ts'
import type {
  CreatePublicationData,
  CreatePublicationResponse,
  CreateUploadUrlData,
  CreateUploadUrlResponse,
  ListPublicationsData,
  ListPublicationsResponse,
} from './api/publications.ts'
import type {
  AddPointsData,
  AddPointsResponse,
  CreateTrackData,
  CreateTrackError,
  CreateTrackResponse,
  FinishTrackData,
  FinishTrackResponse,
  ListPointsData,
  ListPointsResponse,
  PointCreate,
  TrackCreate,
  TrackUpdate,
} from './api/tracks.ts'

/** What a generator writes for each operation. */
type Operation = { url: string; body?: unknown; path?: object; query?: object }

const POINTS: PointCreate[] = [
  { latitude: 46.52, longitude: 6.63, timestamp: '2026-05-03T06:15:00Z', altitude: 372 },
  { latitude: 46.521, longitude: 6.63, timestamp: '2026-05-03T06:16:00Z', altitude: null },
]

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url))
const FOLDER = fileURLToPath(new URL('.', import.meta.url))

/** What an app gives to the queue of the client fits the API. */
const fitting: [Omit<TrackCreate, 'device_track_id'>, TrackUpdate, Omit<PointCreate, 'timestamp'>] = [
  {} as TrackFields,
  {} as TrackChanges,
  {} as PointInput,
]

describe('Types generated from the API description', () => {
  before(async () => {
    mkdirSync(join(FOLDER, 'api'), { recursive: true })
    for (const part of ['tracks', 'publications']) {
      const description = readFileSync(join(PROJECT, 'docs', 'api', `${part}.openapi.json`), 'utf8')
      writeFileSync(join(FOLDER, 'api', `${part}.ts`), await clientTypes(description))
    }
  })

  test('fit this file, whose types are checked with them, and the client for apps', () => {
    assert.equal(fitting.length, 3)
    const tsc = join(PROJECT, 'node_modules', '.bin', 'tsc')

    const { status, stdout } = spawnSync(tsc, ['-p', FOLDER], { encoding: 'utf8' })

    assert.deepEqual([status, stdout], [0, ''])
  })
})

for (const database of databases.slice(0, 1)) {
  describe('A client with types generated from the API description', async () => {
    const { process, request } = await startProgram({ after }, database)
    const publish = sender(process.url, process.apiKey)

    test('records a track', async () => {
      const created = await call<CreateTrackData, CreateTrackResponse>(request, 'POST', {
        url: '/tracks',
        body: { device_track_id: 'typed', activity_type: 'hike' },
      })
      await call<AddPointsData, AddPointsResponse>(request, 'POST', {
        url: '/tracks/{id}/points',
        path: { id: created.id },
        body: { points: POINTS },
      })
      const finished = await call<FinishTrackData, FinishTrackResponse>(request, 'POST', {
        url: '/tracks/{id}/finish',
        path: { id: created.id },
      })
      const listed = await call<ListPointsData, ListPointsResponse>(request, 'GET', {
        url: '/tracks/{id}/points',
        path: { id: created.id },
        query: { limit: 1 },
      })

      assert.equal(finished.state, 'stopped')
      assert.equal(finished.stats.points_count, 2)
      assert.ok(finished.stats.distance_meters > 100 && finished.stats.distance_meters < 120)
      assert.equal(listed.points[0].altitude, 372)
    })

    test('reads the members of an error', async () => {
      const body: CreateTrackData['body'] = { device_track_id: 'twice' }
      const created = await call<CreateTrackData, CreateTrackResponse>(request, 'POST', { url: '/tracks', body })

      const problem = (await (await request('POST', '/tracks', body)).json()) as CreateTrackError

      assert.equal(problem.code, 'CONFLICT')
      assert.equal(problem.track_id, created.id)
    })

    test('publishes a PDF', async () => {
      const ticket = await call<CreateUploadUrlData, CreateUploadUrlResponse>(publish, 'POST', {
        url: '/publications/upload-url',
        body: { type: 'pdf' },
      })
      const headers = { 'Content-Type': 'application/pdf' }
      await fetch(ticket.uploadUrl, { method: 'PUT', headers, body: new Uint8Array(numberedPages(1)) })
      const { storageKey, pdfPath } = ticket
      const created = await call<CreatePublicationData, CreatePublicationResponse>(publish, 'POST', {
        url: '/publications',
        body: { title: 'Typed', storageKey, pdfPath, sourceType: 'pdf' },
      })
      const list = await call<ListPublicationsData, ListPublicationsResponse>(publish, 'GET', { url: '/publications' })

      assert.equal(created.slug, 'typed')
      assert.deepEqual(
        list.map(({ slug, page_count }) => [slug, page_count]),
        [['typed', 1]],
      )
    })
  })
}

/** Sends an operation as its generated type describes it; fails unless the answer is a success. */
async function call<Data extends Operation, Answer>(
  send: SendRequest,
  method: string,
  { url, path = {}, query = {}, body }: Data,
): Promise<Answer> {
  const address = Object.entries(path).reduce((text, [name, value]) => text.replace(`{${name}}`, String(value)), url)
  const parameters = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const response = await send(method, `${address}${parameters.size === 0 ? '' : `?${parameters}`}`, body)
  const text = await response.text()
  assert.ok(response.ok, `${method} ${address}: ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}
