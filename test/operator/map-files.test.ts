import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { MapFile, MapSettings } from '../../src/maps/schemas.ts'
import type { MapFileRow } from '../../src/maps/store.ts'
import { blobStores } from '../support/blob-stores.ts'
import { databases } from '../support/databases.ts'
import { makeVectorMap } from '../support/make-map-file.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { sendBytes } from '../support/send-bytes.ts'
import { answered } from './support/answered.ts'
import { choose, mapSettings, uploadMap, VECTOR } from './support/map-requests.ts'
import { startOperator } from './support/start-operator.ts'

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const [database] = databases

for (const blobs of blobStores) {
  describe(`a map file in ${blobs.name}`, async () => {
    test('is delivered in ranges that may be kept for good', async (t) => {
      const operator = await startOperator(t, database, { blobs })
      const browser = await operator.signedIn()

      const file = await answered<MapFile>(201, uploadMap(operator.url, browser, VECTOR, 'genève.pmtiles'))
      const { in_use } = await answered<MapSettings>(200, choose(browser, { kind: 'file', file_id: file.id }))
      const address = operator.url + in_use.file!.url
      const range = await sendBytes(address, { headers: { Range: 'bytes=0-126' } })
      const whole = await sendBytes(address)
      const again = await sendBytes(address, { headers: { 'If-None-Match': range.headers.etag } })
      const beyond = await sendBytes(address, { headers: { Range: `bytes=${VECTOR.length}-` } })

      assert.equal(file.id, sha256(VECTOR))
      assert.equal(in_use.file!.url, `/maps/${sha256(VECTOR)}.pmtiles`)
      assert.deepEqual([file.name, file.place, file.size_bytes], ['genève.pmtiles', 'uploaded', VECTOR.length])
      assert.deepEqual(
        [range.status, range.body, range.headers['content-range']],
        [206, VECTOR.subarray(0, 127), `bytes 0-126/${VECTOR.length}`],
      )
      assert.equal(range.headers['cache-control'], 'public, max-age=31536000, immutable, no-transform')
      assert.equal(range.headers['content-type'], 'application/vnd.pmtiles')
      assert.equal(range.headers['x-content-type-options'], 'nosniff')
      assert.deepEqual([whole.status, whole.body.equals(VECTOR)], [200, true])
      assert.deepEqual([again.status, beyond.status], [304, 416])
    })

    test('is stored once, however often it is uploaded', async (t) => {
      const operator = await startOperator(t, database, { blobs })
      const browser = await operator.signedIn()

      const [first, second] = await Promise.all(
        ['a.pmtiles', 'b.pmtiles'].map((name) =>
          answered<MapFile>(201, uploadMap(operator.url, browser, VECTOR, name)),
        ),
      )

      assert.equal(first.id, second.id)
      assert.equal((await mapSettings(browser)).files.length, 1)
      assert.equal((await storedBlobs(operator)).length, 1)
    })

    test('that is refused leaves nothing', async (t) => {
      const operator = await startOperator(t, database, { blobs })
      const browser = await operator.signedIn()
      const short = VECTOR.subarray(0, VECTOR.length - 1)

      const { detail } = await readProblem(await uploadMap(operator.url, browser, short), 422, 'UNPROCESSABLE')

      assert.match(detail, /incomplete/)
      assert.deepEqual([(await mapSettings(browser)).files, await storedBlobs(operator)], [[], []])
    })
  })
}

describe('a map file in DATA_DIR/maps', () => {
  test('is offered with those that were uploaded, and delivered', async (t) => {
    const { operator, folder } = await startWithFolder(t)
    const browser = await operator.signedIn()
    writeFileSync(join(folder, 'alps.pmtiles'), VECTOR)
    writeFileSync(join(folder, 'broken.pmtiles'), VECTOR.subarray(0, 500))
    writeFileSync(join(folder, 'notes.txt'), 'not a map')

    const { files } = await mapSettings(browser)
    const { in_use } = await answered<MapSettings>(
      200,
      choose(browser, { kind: 'file', file_id: 'folder:alps.pmtiles' }),
    )
    const range = await sendBytes(operator.url + in_use.file!.url, { headers: { Range: 'bytes=100-199' } })

    assert.deepEqual(
      files.map(({ id, place, facts }) => [id, place, facts?.format]),
      [
        ['folder:alps.pmtiles', 'folder', 'vector'],
        ['folder:broken.pmtiles', 'folder', undefined],
      ],
    )
    assert.equal(files[1].fault, 'incomplete')
    assert.deepEqual([range.status, range.body], [206, VECTOR.subarray(100, 200)])
    assert.deepEqual(await wrongPlaces(await choose(browser, { kind: 'file', file_id: 'folder:broken.pmtiles' })), [
      'file_id',
    ])
  })

  test('gets a new address when it is replaced, and the old one ends', async (t) => {
    const { operator, folder } = await startWithFolder(t)
    const browser = await operator.signedIn()
    writeFileSync(join(folder, 'alps.pmtiles'), VECTOR)
    const choice = { kind: 'file', file_id: 'folder:alps.pmtiles' } as const
    const before = await answered<MapSettings>(200, choose(browser, choice))

    rmSync(join(folder, 'alps.pmtiles'))
    writeFileSync(join(folder, 'alps.pmtiles'), makeVectorMap({ maxZoom: 4 }))
    operator.clock.nowMs += 60_000
    const after = await mapSettings(browser)

    assert.notEqual(after.in_use.file!.url, before.in_use.file!.url)
    assert.equal(after.in_use.file!.max_zoom, 4)
    await readProblem(await fetch(operator.url + before.in_use.file!.url), 404, 'NOT_FOUND')
    assert.equal((await fetch(operator.url + after.in_use.file!.url)).status, 200)
  })

  test('gives way to outlines when it goes', async (t) => {
    const { operator, folder } = await startWithFolder(t)
    const browser = await operator.signedIn()
    writeFileSync(join(folder, 'alps.pmtiles'), VECTOR)
    await answered(200, choose(browser, { kind: 'file', file_id: 'folder:alps.pmtiles' }))

    rmSync(join(folder, 'alps.pmtiles'))
    operator.clock.nowMs += 60_000

    assert.equal((await mapSettings(browser)).in_use.kind, 'outlines')
    assert.equal((await fetch(`${operator.url}/dashboard/`)).status, 200)
  })
})

describe('the limit of 100 map files', () => {
  for (const database of databases) {
    test(`holds when several are added at once on ${database.name}`, async (t) => {
      const { maps } = (await startOperator(t, database)).service.deps

      const added = await Promise.all(mapRows(7).map((row) => maps.addFile(row, 5)))
      const again = await maps.addFile((await maps.listFiles())[0], 5)

      assert.deepEqual(added.toSorted(), [...Array(5).fill('added'), ...Array(2).fill('too many')])
      assert.deepEqual([(await maps.listFiles()).length, again], [5, 'known'])
    })
  }

  test('refuses an upload when others have taken the last place meanwhile, and leaves nothing', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const { maps } = operator.service.deps
    const list = t.mock.method(maps, 'listFiles')
    async function* body() {
      yield VECTOR.subarray(0, 200)
      while (list.mock.callCount() === 0) await turn()
      await list.mock.calls[0].result
      for (const row of mapRows(100)) await maps.addFile(row, 100)
      yield VECTOR.subarray(200)
    }
    const headers = {
      Cookie: browser.cookie,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/vnd.pmtiles',
    }

    const late = await sendBytes(`${operator.url}/operator/map/files?name=x`, { method: 'POST', headers, body: body() })

    assert.equal(late.status, 409)
    assert.match(late.body.toString(), /There are too many map files/)
    assert.deepEqual(await storedBlobs(operator), [])
    await readProblem(await uploadMap(operator.url, browser, VECTOR), 409, 'CONFLICT')
  })
})

describe('the sweep of map files', () => {
  test('removes what a crash has left after a day, and nothing that is in use or on its way', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const { id } = await answered<MapFile>(201, uploadMap(operator.url, browser, VECTOR))
    const { deps, sweepMaps } = operator.service
    const orphan = await (await deps.mapBlobs()).draft(Readable.from([VECTOR]))
    await orphan.commit('maps/orphan.pmtiles')

    await sweepMaps()
    const before = (await storedBlobs(operator)).length
    operator.clock.nowMs += 25 * 3_600_000
    await sweepMaps()

    assert.deepEqual([before, (await storedBlobs(operator)).length], [2, 1])
    assert.equal((await fetch(`${operator.url}/maps/${id}.pmtiles`)).status, 200)
  })
})

type Operator = Awaited<ReturnType<typeof startOperator>>

async function startWithFolder(
  t: Parameters<typeof startOperator>[0],
): Promise<{ operator: Operator; folder: string }> {
  const { dataDir } = await databases[0].open(t)
  const folder = join(dataDir, 'maps')
  mkdirSync(folder)
  return { operator: await startOperator(t, database, { settings: { DATA_DIR: dataDir } }), folder }
}

/** Rows of files that are not stored. */
function mapRows(count: number): MapFileRow[] {
  const row = { name: 'other.pmtiles', size_bytes: 1, facts: '{}', created_at: 0 }
  return Array.from({ length: count }, (_, at) => ({ ...row, sha256: `file ${at}`, blob_key: `maps/${at}` }))
}

async function storedBlobs({ service }: Operator): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of (await service.deps.mapBlobs()).list('maps/')) keys.push(key)
  return keys
}
