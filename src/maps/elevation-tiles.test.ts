import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { elevationMeters } from '#platform/basics/terrain.ts'
import { type Bounds, makeMapFile, makeTerrain, varints } from '../../test/support/make-map-file.ts'
import { createElevationTiles } from './elevation-tiles.ts'

const BOUNDS: Bounds = [7, 46.5, 7.02, 46.52]
const PLACE = { zoom: 12, x: 2127, y: 1448 }
const metersAt = (latitude: number, longitude: number) => 1000 * (latitude - 46) + 5000 * (longitude - 7)

/** Reads tiles of a file, and counts how often the file is read. */
function tilesOf(file: Buffer, failure?: () => Error | undefined) {
  let reads = 0
  const tiles = createElevationTiles({
    open: async () => ({
      sizeBytes: file.length,
      async read(range) {
        reads++
        const error = failure?.()
        if (error !== undefined) throw error
        return Readable.from([file.subarray(range!.start, range!.end + 1)])
      },
    }),
  })
  return { find: (place = PLACE) => tiles.find('key', place), readsSoFar: () => reads }
}

/** A file whose directory leads to one of the leaves, which are its tiles at the same time. */
const withLeaf = (leaf: Buffer) =>
  makeMapFile({
    tiles: [{ z: 0, x: 0, y: 0, bytes: leaf }],
    tileType: 2,
    directory: varints([1, 0, 0, leaf.length, 1]),
    broken: (header) => void header.copy(header, 40, 56, 72),
  })

describe('tiles with elevations', () => {
  for (const encoding of ['terrarium', 'mapbox'] as const) {
    for (const format of ['png', 'webp'] as const) {
      test(`have those of the file, as ${format} in the ${encoding} encoding`, async () => {
        const { find } = tilesOf(await makeTerrain({ metersAt, bounds: BOUNDS, zoom: 12, encoding, format }))

        const tile = (await find())!

        assert.equal(tile.widthPixels, 256)
        const middle = elevationMeters(tile, 128 * 256 + 128, encoding)
        const longitude = ((PLACE.x + 0.5) / 4096) * 360 - 180
        assert.ok(Math.abs(middle - metersAt(46.528, longitude)) < 20, `${middle} m`)
      })
    }
  }

  test('are read once, whether the file has them or not', async () => {
    const { find, readsSoFar } = tilesOf(await makeTerrain({ metersAt, bounds: BOUNDS, zoom: 12 }))
    const absent = { zoom: 12, x: 1, y: 2 }

    const [first, missing] = [await find(), await find(absent)]
    const before = readsSoFar()
    const [again, still] = [await find(), await find(absent)]

    assert.ok(first !== undefined && again === first)
    assert.ok(missing === undefined && still === undefined)
    assert.equal(readsSoFar(), before)
  })

  test('are found through the leaves of a directory', async () => {
    const image = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#808000' } })
      .png()
      .toBuffer()
    const leaf = gzipSync(varints([1, 0, 1, image.length, 1]))
    const data = Buffer.concat([image, leaf])
    const file = makeMapFile({
      tiles: [{ z: 0, x: 0, y: 0, bytes: data }],
      tileType: 2,
      directory: varints([1, 0, 0, leaf.length, image.length + 1]),
      broken: (header) => void header.copy(header, 40, 56, 72),
    })

    const tile = await tilesOf(file).find({ zoom: 0, x: 0, y: 0 })

    assert.equal(elevationMeters(tile!, 7, 'terrarium'), 128)
  })

  test('that would do harm, or are damaged, are none', async () => {
    const image = (width: number) =>
      sharp({ create: { width, height: width, channels: 3, background: '#808000' } })
        .png()
        .toBuffer()
    const inFile = (bytes: Buffer) => makeMapFile({ tiles: [{ z: 0, x: 0, y: 0, bytes }], tileType: 2 })
    const good = await image(256)
    const files: [string, Buffer][] = [
      ['a huge image', inFile(await image(4096))],
      ['half an image', inFile(good.subarray(0, good.length / 2))],
      [
        'another format',
        inFile(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/hosts"/></svg>')),
      ],
      [
        'a tile beyond any size',
        makeMapFile({ tiles: [{ z: 0, x: 0, y: 0, bytes: Buffer.alloc(3_000_000) }], tileType: 2 }),
      ],
      ['a leaf that counts entries without end', withLeaf(gzipSync(varints([2 ** 40, 1])))],
      ['a leaf that leads to itself', withLeaf(gzipSync(varints([1, 0, 0, 20, 1])))],
      ['a leaf that unfolds without end', withLeaf(gzipSync(Buffer.alloc(64 * 1_048_576)))],
      ['a leaf of other bytes', withLeaf(Buffer.from('neither gzip nor a directory'))],
      ['a file that was cut after it was chosen', inFile(good).subarray(0, 300)],
    ]

    for (const [name, file] of files) {
      const tile = await tilesOf(file).find({ zoom: 0, x: 0, y: 0 })
      assert.ok(tile === undefined, name)
    }
  })

  test('that the store cannot give now are looked for again', async () => {
    let isAway = true
    const file = await makeTerrain({ metersAt, bounds: BOUNDS, zoom: 12 })
    const { find } = tilesOf(file, () => (isAway ? new Error('the store is away') : undefined))

    await assert.rejects(find(), /the store is away/)
    isAway = false

    assert.ok((await find()) !== undefined)
  })
})
