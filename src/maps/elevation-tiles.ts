import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { loadSharp, pictureFormat } from '#platform/basics/load-sharp.ts'
import {
  type ElevationEncoding,
  elevationMeters,
  mercatorX,
  mercatorY,
  type Terrain,
  type TerrainFile,
  type TerrainTile,
  type TilePlace,
} from '#platform/basics/terrain.ts'
import { unfold } from './map-file-metadata.ts'
import type { LibraryFile, MapLibrary, TileSource } from './map-library.ts'
import {
  type Directory,
  findEntry,
  MapFileFault,
  type MapFileHeader,
  readDirectory,
  readMapFileHeader,
  tileIdOf,
} from './pmtiles.ts'
import { BEGINNING_BYTES } from './store-map-file.ts'

/** Memory for decoded tiles, enough for two long tracks. A tile of 512 pixels takes 768 KiB. */
const KEPT_TILES_BYTES = 64 * 1_048_576
/** Memory for directories. */
const KEPT_DIRECTORIES_BYTES = 16 * 1_048_576
/** A missing or unreadable tile is remembered as well, so that it is not read for each track. */
const NO_TILE_BYTES = 100
const MAX_WIDTH_PIXELS = 512
/** Tiles and directories of ordinary files stay far below; a directory is read in the calling thread. */
const MAX_TILE_BYTES = 2 * 1_048_576
const MAX_DIRECTORY_BYTES = 1_048_576
/** Levels of directories (PMTiles 3, 4). */
const MAX_LEVELS = 3
const MAX_DECODING_SEC = 10
/** Decoding takes threads of the process, which files and passwords need as well. */
const DECODED_AT_ONCE = 2

/** Tiles of files with elevations. */
export type ElevationTiles = ReturnType<typeof createElevationTiles>

/** Creates the reader of tiles. It keeps decoded tiles and directories that were read last. */
export function createElevationTiles(library: Pick<MapLibrary, 'open'>) {
  const tiles = new LRUCache<string, { tile: TerrainTile | undefined }>({
    maxSize: KEPT_TILES_BYTES,
    sizeCalculation: ({ tile }) => tile?.colours.length ?? NO_TILE_BYTES,
  })
  const directories = new LRUCache<string, { header: MapFileHeader; directory: Directory }>({
    maxSize: KEPT_DIRECTORIES_BYTES,
    sizeCalculation: ({ directory: { ids } }) => 4 * ids.byteLength,
  })
  const decoding = pLimit(DECODED_AT_ONCE)

  async function rootOf(contentKey: string, file: TileSource) {
    const known = directories.get(contentKey)
    if (known !== undefined) return known
    const beginning = await readRange(file, 0, Math.min(BEGINNING_BYTES, file.sizeBytes))
    const header = readMapFileHeader(beginning)
    const { offset, length } = header.root
    const bytes = await unfold(beginning.subarray(offset, offset + length), header, MAX_DIRECTORY_BYTES)
    const root = { header, directory: readDirectory(bytes, header) }
    directories.set(contentKey, root)
    return root
  }

  async function leafOf(contentKey: string, file: TileSource, header: MapFileHeader, offset: number, length: number) {
    const key = `${contentKey} ${offset}`
    const known = directories.get(key)
    if (known !== undefined) return known.directory
    const bytes = await readRange(file, header.leaves.offset + offset, within(length, MAX_DIRECTORY_BYTES))
    const directory = readDirectory(await unfold(bytes, header, MAX_DIRECTORY_BYTES), header)
    directories.set(key, { header, directory })
    return directory
  }

  async function read(contentKey: string, place: TilePlace): Promise<TerrainTile | undefined> {
    const file = await library.open(contentKey)
    if (file === undefined) return undefined
    const tileId = tileIdOf(place)
    const root = await rootOf(contentKey, file)
    let { directory } = root
    for (let level = 0; level < MAX_LEVELS; level++) {
      const entry = findEntry(directory, tileId)
      if (entry === undefined) return undefined
      const [offset, length] = [directory.offsets[entry], directory.lengths[entry]]
      if (directory.runs[entry] > 0) {
        const bytes = await readRange(file, root.header.tiles.offset + offset, within(length, MAX_TILE_BYTES))
        return await decoding(() => decode(bytes))
      }
      directory = await leafOf(contentKey, file, root.header, offset, length)
    }
    throw new MapFileFault('broken', 'The directories of the file have too many levels.')
  }

  return {
    /** Reads a tile anew; undefined if it is missing. @throws MapFileFault; the error of the store of files */
    read,

    /**
     * Finds a tile of a file by the name of its content; undefined if it is missing or cannot be read.
     * @throws the error of the store of files
     */
    async find(contentKey: string, place: TilePlace): Promise<TerrainTile | undefined> {
      const key = `${contentKey} ${tileIdOf(place)}`
      const known = tiles.get(key)
      if (known !== undefined) return known.tile
      const tile = await read(contentKey, place).catch((error: unknown) => {
        if (error instanceof MapFileFault) return undefined
        throw error
      })
      tiles.set(key, { tile })
      return tile
    },
  }
}

function within(length: number, limit: number): number {
  if (length <= limit) return length
  throw new MapFileFault('broken', `A part of the file has ${length} bytes.`)
}

async function readRange(file: TileSource, offset: number, length: number): Promise<Buffer> {
  const stream = await file.read({ start: offset, end: offset + length - 1 })
  if (stream === undefined) throw new MapFileFault('incomplete', 'The file has gone.')
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Decodes an image, in a thread of the process. @throws MapFileFault */
async function decode(bytes: Buffer): Promise<TerrainTile> {
  const format = pictureFormat(bytes)
  if (format !== 'png' && format !== 'webp')
    throw new MapFileFault('format', 'A tile of the file is not an image in PNG or WebP.')
  const sharp = await loadSharp()
  const options = { limitInputPixels: MAX_WIDTH_PIXELS ** 2, failOn: 'error', pages: 1 } as const
  const { data, info } = await sharp(bytes, options)
    .removeAlpha()
    .raw()
    .timeout({ seconds: MAX_DECODING_SEC })
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw new MapFileFault('broken', `A tile of the file is damaged, or wider than ${MAX_WIDTH_PIXELS} pixels.`)
    })
  if (info.width !== info.height || info.channels !== 3)
    throw new MapFileFault('format', 'A tile of the file is not a square image in colours.')
  const colours = new Uint8Array(new SharedArrayBuffer(data.length))
  colours.set(data)
  return { widthPixels: info.width, colours }
}

/** Encoding of elevations where a file names none. */
const USUAL_ENCODING = 'terrarium'

/** From the deepest trench to Mount Everest. */
const LOWEST_METERS = -11_000
const HIGHEST_METERS = 9000
/** Colours of another image are elevations by chance in fewer places, as a rule. */
const LEAST_SHARE = 0.5
/** Pixels that are looked at. */
const SAMPLE = 1009

/**
 * Returns what is wrong with a file that is to have elevations, in words to follow its name; undefined if nothing is,
 * as far as a tile in its middle shows. A file with none there, or with one without elevations, may have them
 * elsewhere.
 */
export async function elevationProblem(tiles: ElevationTiles, file: LibraryFile): Promise<string | undefined> {
  const { min_zoom, max_zoom, bounds, elevation_encoding: encoding } = file.facts!
  const [west, south, east, north] = bounds
  try {
    for (let zoom = min_zoom; zoom <= max_zoom; zoom++) {
      const x = Math.floor(mercatorX((west + east) / 2) * 2 ** zoom)
      const y = Math.floor(mercatorY((south + north) / 2) * 2 ** zoom)
      const tile = await tiles.read(file.contentKey, { zoom, x, y })
      if (tile !== undefined)
        return isPlausible(tile, encoding ?? USUAL_ENCODING) ? undefined : 'must name a file with images of elevations'
    }
  } catch (error) {
    if (error instanceof MapFileFault) return `names a file that cannot be used: ${error.message}`
    throw error
  }
  return undefined
}

function isPlausible(tile: TerrainTile, encoding: ElevationEncoding): boolean {
  const pixels = Array.from({ length: SAMPLE }, (_, i) => Math.floor((i / SAMPLE) * tile.widthPixels ** 2))
  // Black is none, as a rule.
  const known = pixels.filter((pixel) => tile.colours.subarray(3 * pixel, 3 * pixel + 3).some((colour) => colour > 0))
  const plausible = known.filter((pixel) => {
    const meters = elevationMeters(tile, pixel, encoding)
    return meters >= LOWEST_METERS && meters <= HIGHEST_METERS
  })
  return plausible.length >= LEAST_SHARE * known.length
}

/** The chosen file with elevations, and their error in metres if operators have stated it. */
export type ChosenElevations = { file: LibraryFile; errorMeters: number | null }

/** Creates the terrain of the file with elevations that operators have chosen. */
export function createTerrain(findChosen: () => Promise<ChosenElevations | undefined>, tiles: ElevationTiles): Terrain {
  return {
    async chosen() {
      const elevations = await findChosen()
      return elevations && terrainFile(elevations)
    },
    tiles: ({ contentKey }, places) => Promise.all(places.map((place) => tiles.find(contentKey, place))),
  }
}

/** Width of an image where a file does not say. */
const USUAL_WIDTH_PIXELS = 256
const EQUATOR_METERS = 40_075_017
/**
 * Standard deviations of models of the whole earth, with a pixel of 30 m, and of models from laser scans of a country.
 * Forests and steep slopes are worse, open land is better.
 */
const WORLD_ERROR_METERS = 3
const FINE_ERROR_METERS = 1.5
const FINE_PIXEL_METERS = 15

function terrainFile({ file: { contentKey, facts }, errorMeters }: ChosenElevations): TerrainFile {
  const { max_zoom, min_zoom, tile_size, elevation_encoding } = facts!
  const pixelMeters = EQUATOR_METERS / 2 ** max_zoom / (tile_size ?? USUAL_WIDTH_PIXELS)
  return {
    contentKey,
    encoding: elevation_encoding ?? USUAL_ENCODING,
    minZoom: min_zoom,
    maxZoom: max_zoom,
    errorMeters: errorMeters ?? (pixelMeters < FINE_PIXEL_METERS ? FINE_ERROR_METERS : WORLD_ERROR_METERS),
  }
}
