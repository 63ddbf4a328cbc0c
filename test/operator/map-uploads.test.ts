import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { MapFile } from '../../src/maps/schemas.ts'
import { databases } from '../support/databases.ts'
import { makeMapFile, makeRasterMap, varints } from '../support/make-map-file.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { sendBytes } from '../support/send-bytes.ts'
import { answered } from './support/answered.ts'
import { mapSettings, uploadMap, VECTOR } from './support/map-requests.ts'
import { startOperator } from './support/start-operator.ts'

const [database] = databases

describe('an upload of a map file', async () => {
  const operator = await startOperator({ after }, database)
  const browser = await operator.signedIn()
  const tile = { z: 0, x: 0, y: 0, bytes: Buffer.from('tile') }
  const made = (options: Partial<Parameters<typeof makeMapFile>[0]>) =>
    makeMapFile({ tiles: [tile], tileType: 2, ...options })
  const patched = (at: number, value: number) => made({ broken: (header) => void header.writeUInt8(value, at) })
  const offset = (at: number, value: bigint) => made({ broken: (header) => void header.writeBigUInt64LE(value, at) })
  const bomb = gzipSync(Buffer.alloc(64 * 1_048_576))

  const refused: [string, Buffer, RegExp][] = [
    ['other bytes', Buffer.from('%PDF-1.7\n'.repeat(100)), /not a PMTiles archive/],
    ['a few bytes', Buffer.from('PMTiles\x03'), /not a PMTiles archive/],
    ['version 2', patched(7, 2), /version 2.*pmtiles convert/],
    ['an unknown format of tiles', patched(99, 9), /MVT/],
    ['directories that browsers cannot decompress', patched(97, 4), /Use gzip/],
    ['tiles that browsers cannot decompress', patched(98, 3), /Use gzip/],
    ['zoom levels out of order', patched(100, 20), /zoom levels are 20 to 0/],
    ['zoom levels beyond any map', patched(101, 40), /zoom levels are 0 to 40/],
    ['bounds beyond the world', made({ bounds: [0, 0, 200, 10] }), /bounds/],
    ['bounds out of order', made({ bounds: [10, 0, 5, 10] }), /bounds/],
    ['a section beyond any number', offset(56, 2n ** 63n), /beyond any file/],
    ['a section beyond the file', offset(64, 10n ** 9n), /incomplete/],
    ['a root directory in the wrong place', offset(8, 20_000n), /root directory/],
    ['huge metadata', offset(32, 10n ** 9n), /metadata .* larger/],
    ['no tiles', offset(64, 0n), /no tiles/],
    ['an empty directory', made({ directory: varints([0]) }), /no tiles/],
    ['a directory with too many entries', made({ directory: varints([2 ** 40]) }), /directory .* broken/],
    ['a directory that ends early', made({ directory: varints([1, 0, 1]) }), /directory .* broken/],
    ['a tile beyond the tiles', made({ directory: varints([1, 0, 1, 400, 1]) }), /directory .* broken/],
    ['a number that never ends', made({ directory: Buffer.alloc(40, 0xff) }), /directory .* broken/],
    ['metadata that are no object', made({ metadata: ['x'] }), /metadata .* broken/],
    [
      'vector tiles in another schema',
      made({ tileType: 1, metadata: { vector_layers: [{ id: 'transportation' }] } }),
      /Protomaps schema/,
    ],
    ['vector tiles without a schema', made({ tileType: 1 }), /Protomaps schema/],
    ['a directory that is a decompression bomb', withRoot(bomb.subarray(0, 16_000)), /decompressed/],
  ]
  for (const [name, bytes, expected] of refused) {
    test(`with ${name} is refused, and leaves nothing`, async () => {
      const { detail } = await readProblem(await uploadMap(operator.url, browser, bytes), 422, 'UNPROCESSABLE')

      assert.match(detail, expected)
      assert.deepEqual((await mapSettings(browser)).files, [])
    })
  }

  test('is refused when it is empty or too large', async (t) => {
    const operator = await startOperator(t, database, { settings: { MAX_MAP_FILE_BYTES: '1000' } })
    const browser = await operator.signedIn()

    await readProblem(await uploadMap(operator.url, browser, Buffer.alloc(0)), 400, 'BAD_REQUEST')
    await readProblem(await uploadMap(operator.url, browser, VECTOR), 413, 'PAYLOAD_TOO_LARGE')
    const headers = {
      Cookie: browser.cookie,
      'Sec-Fetch-Site': 'same-origin',
      'Content-Type': 'application/vnd.pmtiles',
    }
    const body = [VECTOR.subarray(0, 600), VECTOR.subarray(600)]
    const chunked = await sendBytes(`${operator.url}/operator/map/files?name=x`, { method: 'POST', headers, body })

    assert.equal(chunked.status, 413)
    assert.deepEqual((await mapSettings(browser)).files, [])
  })

  test('needs a name', async () => {
    assert.deepEqual(await wrongPlaces(await uploadMap(operator.url, browser, VECTOR, '')), ['name'])
  })

  test('keeps what the file says, as plain text', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()

    const vector = await answered<MapFile>(201, uploadMap(operator.url, browser, VECTOR))
    const raster = await answered<MapFile>(201, uploadMap(operator.url, browser, await makeRasterMap({ maxZoom: 3 })))

    assert.deepEqual(vector.facts, {
      format: 'vector',
      tile_type: 'mvt',
      min_zoom: 0,
      max_zoom: 6,
      bounds: [6, 46.1, 6.3, 46.3],
      attribution: '© OpenStreetMap contributors',
      elevation_encoding: null,
      tile_size: null,
    })
    assert.deepEqual([raster.facts!.tile_type, raster.facts!.attribution], ['png', 'Survey & Co 2026'])
  })
})

/** Returns a file whose root directory is replaced by other bytes. */
function withRoot(root: Buffer): Buffer {
  const tile = { z: 0, x: 0, y: 0, bytes: Buffer.from('tile') }
  const file = makeMapFile({
    tiles: [tile],
    tileType: 2,
    broken(header) {
      header.writeBigUInt64LE(200n, 8)
      header.writeBigUInt64LE(BigInt(root.length), 16)
    },
  })
  return Buffer.concat([file.subarray(0, 200), Buffer.alloc(Math.max(0, 200 - file.length)), root])
}
