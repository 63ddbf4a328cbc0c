/** Length of the header of a PMTiles archive. */
export const HEADER_BYTES = 127

/** The root directory ends within these bytes, so that one request reads it (PMTiles 3, 3.1). */
const ROOT_WITHIN_BYTES = 16_384
/** Far more than metadata take: the Protomaps schema needs 50 kB for the world. */
const MAX_METADATA_BYTES = 1_048_576
const MAX_ZOOM = 24

const MAGIC = 'PMTiles'
const VERSION = 3

/** A section of an archive, in bytes from its beginning. */
type Section = { offset: number; length: number }

/** Image format of raster tiles, or MVT for vector tiles. */
export type TileType = 'mvt' | 'png' | 'jpeg' | 'webp' | 'avif'

/** Facts from the header of a PMTiles archive (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). */
export type MapFileHeader = {
  root: Section
  metadata: Section
  leaves: Section
  tiles: Section
  isInternalGzip: boolean
  tileType: TileType
  minZoom: number
  maxZoom: number
  /** West, south, east and north, in degrees. */
  bounds: [number, number, number, number]
}

/** Kinds of faults of a map file, for which the dashboard has words. */
export const MAP_FILE_FAULTS = [
  'not-pmtiles',
  'version',
  'format',
  'broken',
  'incomplete',
  'empty',
  'schema',
  'schema-version',
] as const
export type MapFileFaultKind = (typeof MAP_FILE_FAULTS)[number]

/** Thrown for a file that cannot be a map, with a sentence that says why. */
export class MapFileFault extends Error {
  readonly kind: MapFileFaultKind

  constructor(kind: MapFileFaultKind, message: string) {
    super(message)
    this.name = 'MapFileFault'
    this.kind = kind
  }
}

const TILE_TYPES: Record<number, TileType> = { 1: 'mvt', 2: 'png', 3: 'jpeg', 4: 'webp', 5: 'avif' }
/** Compressions of the format that every browser can undo. */
const UNKNOWN = 0
const NONE = 1
const GZIP = 2

/**
 * Reads and checks the header of a PMTiles archive of version 3.
 * @param bytes at least the first 127 bytes of the file
 * @throws MapFileFault
 */
export function readMapFileHeader(bytes: Uint8Array): MapFileHeader {
  if (bytes.length < HEADER_BYTES || new TextDecoder().decode(bytes.subarray(0, MAGIC.length)) !== MAGIC)
    throw new MapFileFault('not-pmtiles', 'The file is not a PMTiles archive.')
  const version = bytes[MAGIC.length]
  if (version !== VERSION)
    throw new MapFileFault(
      'version',
      `The file is a PMTiles archive of version ${version}. Convert it to version ${VERSION} with "pmtiles convert".`,
    )
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES)
  const header = {
    root: sectionAt(view, 8),
    metadata: sectionAt(view, 24),
    leaves: sectionAt(view, 40),
    tiles: sectionAt(view, 56),
    isInternalGzip: internalCompression(view.getUint8(97)) === GZIP,
    tileType: tileTypeOf(view.getUint8(99)),
    minZoom: view.getUint8(100),
    maxZoom: view.getUint8(101),
    bounds: [102, 106, 110, 114].map((at) => view.getInt32(at, true) / 1e7) as MapFileHeader['bounds'],
  }
  checkTileCompression(header.tileType, view.getUint8(98))
  checkSections(header)
  checkExtent(header)
  return header
}

/** Returns the length that a file must have at least, by its header. */
export function leastLength({ root, metadata, leaves, tiles }: MapFileHeader): number {
  return Math.max(...[root, metadata, leaves, tiles].map(({ offset, length }) => offset + length))
}

function sectionAt(view: DataView, at: number): Section {
  const [offset, length] = [view.getBigUint64(at, true), view.getBigUint64(at + 8, true)]
  if (offset + length > BigInt(Number.MAX_SAFE_INTEGER))
    throw new MapFileFault('broken', 'The header of the file is broken: a section lies beyond any file.')
  return { offset: Number(offset), length: Number(length) }
}

function internalCompression(code: number): number {
  if (code === NONE || code === GZIP) return code
  throw new MapFileFault(
    'format',
    'The directories of the file are compressed in a way that browsers cannot read. Use gzip.',
  )
}

function tileTypeOf(code: number): TileType {
  const type = TILE_TYPES[code]
  if (type === undefined)
    throw new MapFileFault(
      'format',
      'The tiles of the file must be vector tiles (MVT), or images in PNG, JPEG, WebP or AVIF.',
    )
  return type
}

function checkTileCompression(type: TileType, code: number): void {
  const isReadable = code === NONE || code === GZIP || (code === UNKNOWN && type !== 'mvt')
  if (!isReadable)
    throw new MapFileFault(
      'format',
      'The tiles of the file are compressed in a way that browsers cannot read. Use gzip.',
    )
}

function checkSections({ root, metadata, tiles }: MapFileHeader): void {
  if (root.length === 0 || root.offset < HEADER_BYTES || root.offset + root.length > ROOT_WITHIN_BYTES)
    throw new MapFileFault(
      'broken',
      'The header of the file is broken: its root directory must lie within the first 16 KiB.',
    )
  if (metadata.length > MAX_METADATA_BYTES)
    throw new MapFileFault('broken', `The metadata of the file are larger than ${MAX_METADATA_BYTES} bytes.`)
  if (tiles.length === 0) throw new MapFileFault('empty', 'The file has no tiles.')
}

function checkExtent({ minZoom, maxZoom, bounds: [west, south, east, north] }: MapFileHeader): void {
  if (minZoom > maxZoom || maxZoom > MAX_ZOOM)
    throw new MapFileFault('broken', `The header of the file is broken: its zoom levels are ${minZoom} to ${maxZoom}.`)
  const isPlaced = west >= -180 && west < east && east <= 180 && south >= -90 && south < north && north <= 90
  if (!isPlaced)
    throw new MapFileFault(
      'broken',
      `The header of the file is broken: its bounds are ${west}, ${south} to ${east}, ${north} degrees.`,
    )
}
