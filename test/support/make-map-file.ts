import { gzipSync } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Feature, FeatureCollection } from 'geojson'
import { zxyToTileId } from 'pmtiles'
import sharp from 'sharp'
import type { ElevationEncoding } from '#platform/basics/terrain.ts'

/** A tile of a map file, by its zoom level, column and row. */
export type MadeTile = { z: number; x: number; y: number; bytes: Buffer }

/** West, south, east and north, in degrees. */
export type Bounds = readonly [number, number, number, number]

export type MadeMapFile = {
  tiles: readonly MadeTile[]
  /** Code of the format of tiles: 1 for MVT, 2 for PNG, 4 for WebP. */
  tileType: number
  bounds?: Bounds
  metadata?: unknown
  /** Changes the header before it is written. */
  broken?: (header: Buffer) => void
  /** Decompressed bytes of the root directory, instead of the right ones. */
  directory?: Buffer
}

const HEADER_BYTES = 127
const GZIP = 2
const NONE = 1

/** Around Geneva: the lake, the town and a road. */
export const GENEVA: Bounds = [6.0, 46.1, 6.3, 46.3]

/** Returns a PMTiles archive of version 3 (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). */
export function makeMapFile({
  tiles,
  tileType,
  bounds = GENEVA,
  metadata = {},
  broken,
  directory,
}: MadeMapFile): Buffer {
  const sorted = tiles.map((tile) => ({ ...tile, id: zxyToTileId(tile.z, tile.x, tile.y) })).sort((a, b) => a.id - b.id)
  const stored = sorted.map(({ bytes }) => (tileType === 1 ? gzipSync(bytes) : bytes))
  const ids = sorted.map(({ id }) => id)
  const root = gzipSync(directory ?? rootDirectory(ids, stored))
  const json = gzipSync(JSON.stringify(metadata))
  const data = Buffer.concat(stored)
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PMTiles')
  header[7] = 3
  const sections = [root.length, json.length, 0, data.length]
  let offset = HEADER_BYTES
  sections.forEach((length, i) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * i)
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * i)
    offset += length
  })
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(sorted.length), at)
  const zooms = sorted.map(({ z }) => z)
  header.set([1, GZIP, tileType === 1 ? GZIP : NONE, tileType, Math.min(...zooms), Math.max(...zooms)], 96)
  bounds.forEach((degrees, i) => void header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * i))
  broken?.(header)
  return Buffer.concat([header, root, json, data])
}

/** Returns a root directory without its compression: the columns of ids, runs, lengths and offsets. */
function rootDirectory(ids: readonly number[], stored: readonly Buffer[]): Buffer {
  return varints([
    ids.length,
    ...ids.map((id, i) => id - (ids[i - 1] ?? 0)),
    ...ids.map(() => 1),
    ...stored.map(({ length }) => length),
    ...stored.map((_, i) => (i === 0 ? 1 : 0)),
  ])
}

/** Returns integers in the variable-length encoding of Protocol Buffers. */
export function varints(values: readonly number[]): Buffer {
  return Buffer.from(
    values.flatMap((value) => {
      const bytes: number[] = []
      let rest = value
      for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
      return [...bytes, rest]
    }),
  )
}

const ATTRIBUTION = '<a href="https://www.openstreetmap.org/copyright">&copy; OpenStreetMap</a> contributors'

/** Returns a small map in the Protomaps schema: land, a lake, a road and a town with names in three languages. */
export function makeVectorMap({ bounds = GENEVA, maxZoom = 12 }: { bounds?: Bounds; maxZoom?: number } = {}): Buffer {
  const [west, south, east, north] = bounds
  const [x, y] = [(west + east) / 2, (south + north) / 2]
  const lake = polygon([x, y, east, north], { kind: 'lake', name: 'Léman', 'name:en': 'Lake Geneva', min_zoom: 0 })
  const line = { type: 'LineString' as const, coordinates: [west, east].map((longitude) => [longitude, south + 0.05]) }
  const road = { kind: 'highway', kind_detail: 'motorway', min_zoom: 0 }
  const town = {
    kind: 'locality',
    kind_detail: 'city',
    name: 'Genf',
    'name:en': 'Geneva',
    'name:fr': 'Genève',
    min_zoom: 0,
    population: 200_000,
    population_rank: 11,
  }
  const layers = {
    earth: new GeoJSONVT(collection([polygon([west - 1, south - 1, east + 1, north + 1], { kind: 'earth' })]), {
      maxZoom,
    }),
    water: new GeoJSONVT(collection([lake]), { maxZoom }),
    roads: new GeoJSONVT(collection([{ type: 'Feature', properties: road, geometry: line }]), { maxZoom }),
    places: new GeoJSONVT(
      collection([{ type: 'Feature', properties: town, geometry: { type: 'Point', coordinates: [x, y] } }]),
      { maxZoom },
    ),
  }
  const tiles = tilesWithin(bounds, 0, maxZoom).map(({ z, x: column, y: row }) => {
    const found = Object.entries(layers).flatMap(([name, index]) => {
      const tile = index.getTile(z, column, row)
      return tile === null ? [] : [[name, tile] as const]
    })
    return { z, x: column, y: row, bytes: Buffer.from(fromGeojsonVt(Object.fromEntries(found), { version: 2 })) }
  })
  const metadata = {
    name: 'Geneva',
    version: '4.0.0',
    attribution: ATTRIBUTION,
    vector_layers: Object.keys(layers).map((id) => ({ id, fields: {} })),
  }
  return makeMapFile({ tiles, tileType: 1, bounds, metadata })
}

type MadeRaster = { bounds?: Bounds; colour?: string; minZoom?: number; maxZoom?: number; metadata?: object }

/** Returns a map of PNG images in one colour. */
export async function makeRasterMap({
  bounds = GENEVA,
  colour = '#c03060',
  minZoom = 0,
  maxZoom = 11,
  metadata = { attribution: 'Survey & Co <b>2026</b>' },
}: MadeRaster = {}): Promise<Buffer> {
  const create = { width: 256, height: 256, channels: 3 as const, background: colour }
  const bytes = await sharp({ create }).png().toBuffer()
  const tiles = tilesWithin(bounds, minZoom, maxZoom).map((tile) => ({ ...tile, bytes }))
  return makeMapFile({ tiles, tileType: 2, bounds, metadata })
}

/** Returns elevations in the Terrarium encoding: ridges from west to east (https://github.com/tilezen/joerd). */
export async function makeElevationMap({ bounds = GENEVA, maxZoom = 11 }: MadeRaster = {}): Promise<Buffer> {
  const pixels = Buffer.alloc(256 * 256 * 3)
  for (let i = 0; i < 256 * 256; i++) {
    const meters = 1000 + 900 * Math.sin(((i % 256) * Math.PI) / 16)
    pixels.writeUInt16BE(Math.round(meters) + 32_768, i * 3)
  }
  const bytes = await sharp(pixels, { raw: { width: 256, height: 256, channels: 3 } })
    .png()
    .toBuffer()
  const tiles = tilesWithin(bounds, 0, maxZoom).map((tile) => ({ ...tile, bytes }))
  return makeMapFile({ tiles, tileType: 2, bounds, metadata: { encoding: 'terrarium' } })
}

type MadeTerrain = {
  metersAt: (latitude: number, longitude: number) => number
  bounds: Bounds
  zoom: number
  encoding?: ElevationEncoding
  format?: 'png' | 'webp'
}

/** Returns the elevations of a region at one zoom level, as images of 256 pixels. */
export async function makeTerrain({
  metersAt,
  bounds,
  zoom,
  encoding = 'terrarium',
  format = 'png',
}: MadeTerrain): Promise<Buffer> {
  const tiles = await Promise.all(
    tilesWithin(bounds, zoom, zoom).map(async (tile) => {
      const raw = { width: 256, height: 256, channels: 3 as const }
      const image = sharp(elevationColours(tile, metersAt, encoding), { raw })
      return { ...tile, bytes: await (format === 'png' ? image.png() : image.webp({ lossless: true })).toBuffer() }
    }),
  )
  return makeMapFile({ tiles, tileType: format === 'png' ? 2 : 4, bounds, metadata: { encoding, tileSize: 256 } })
}

/** Returns the elevations in the middles of a tile's pixels as their colours. */
export function elevationColours(
  { z, x, y }: Omit<MadeTile, 'bytes'>,
  metersAt: MadeTerrain['metersAt'],
  encoding: ElevationEncoding = 'terrarium',
): Uint8Array<SharedArrayBuffer> {
  const colours = new Uint8Array(new SharedArrayBuffer(256 * 256 * 3))
  for (let pixel = 0; pixel < 256 * 256; pixel++) {
    const east = (x + ((pixel % 256) + 0.5) / 256) / 2 ** z
    const south = (y + (Math.floor(pixel / 256) + 0.5) / 256) / 2 ** z
    const latitude = (Math.atan(Math.sinh(Math.PI * (1 - 2 * south))) * 180) / Math.PI
    const meters = metersAt(latitude, east * 360 - 180)
    const code = encoding === 'terrarium' ? Math.round((meters + 32_768) * 256) : Math.round((meters + 10_000) * 10)
    colours.set([code >> 16, (code >> 8) & 255, code & 255], 3 * pixel)
  }
  return colours
}

export function tilesWithin([west, south, east, north]: Bounds, minZoom: number, maxZoom: number) {
  const found: { z: number; x: number; y: number }[] = []
  for (let z = minZoom; z <= maxZoom; z++) {
    const column = (longitude: number) => Math.floor(((longitude + 180) / 360) * 2 ** z)
    const row = (latitude: number) =>
      Math.floor(((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z)
    for (let x = column(west); x <= column(east); x++)
      for (let y = row(north); y <= row(south); y++) found.push({ z, x, y })
  }
  return found
}

function polygon([west, south, east, north]: Bounds, properties: object) {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return { type: 'Feature' as const, properties, geometry: { type: 'Polygon' as const, coordinates: [ring] } }
}

function collection(features: Feature[]): FeatureCollection {
  return { type: 'FeatureCollection', features }
}
