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

/** Image formats of raster tiles, and MVT for vector tiles, by their codes from 1 on. */
export const TILE_TYPES = ['mvt', 'png', 'jpeg', 'webp', 'avif'] as const

/** Facts from the header of a PMTiles archive (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md). */
export type MapFileHeader = {
  root: Section
  metadata: Section
  leaves: Section
  tiles: Section
  isInternalGzip: boolean
  tileType: (typeof TILE_TYPES)[number]
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

function tileTypeOf(code: number) {
  const type = TILE_TYPES[code - 1]
  if (type === undefined)
    throw new MapFileFault(
      'format',
      'The tiles of the file must be vector tiles (MVT), or images in PNG, JPEG, WebP or AVIF.',
    )
  return type
}

function checkTileCompression(type: string, code: number): void {
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

/** Entries that a directory of 16 KiB can name when it is decompressed, with room to spare. */
const MAX_ENTRIES = 1_000_000

/** Entries of a directory in the order of their tiles' ids: of tiles, or of directories that go on from an id. */
export type Directory = {
  ids: Float64Array
  /** Number of tiles, from an id on, with the same bytes; 0 for a directory. */
  runs: Float64Array
  /** Bytes within the tiles, or within the directories. */
  offsets: Float64Array
  lengths: Float64Array
}

/**
 * Reads a decompressed directory (PMTiles 3, 4) and checks that its entries are in order, and that each leads to bytes
 * within the tiles or the leaf directories.
 * @throws MapFileFault
 */
export function readDirectory(bytes: Uint8Array, { tiles, leaves }: MapFileHeader): Directory {
  const next = varints(bytes)
  const count = next()
  if (count === 0) throw new MapFileFault('empty', 'The file has no tiles.')
  if (count > MAX_ENTRIES || count > bytes.length) throw broken()
  const column = () => Float64Array.from({ length: count }, next)
  // The first column has differences. From the second entry on, 0 means that a tile repeats an id.
  const ids = column()
  for (let i = 1; i < count; i++) {
    if (ids[i] === 0) throw broken()
    ids[i] += ids[i - 1]
  }
  const runs = column()
  const lengths = column()
  const offsets = new Float64Array(count)
  let end = 0
  for (let i = 0; i < count; i++) {
    const stored = next()
    if (stored === 0 && i === 0) throw broken()
    // 0 means that the bytes follow the entry before.
    offsets[i] = stored === 0 ? end : stored - 1
    end = offsets[i] + lengths[i]
    if (lengths[i] === 0 || end > (runs[i] === 0 ? leaves : tiles).length) throw broken()
  }
  return { ids, runs, offsets, lengths }
}

/** Reads variable-length integers of the Protocol Buffers encoding, 7 bits a byte, the lowest first. */
function varints(bytes: Uint8Array): () => number {
  let at = 0
  return () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      if (byte === undefined) throw broken()
      value += (byte & 0x7f) * factor
      if (value > Number.MAX_SAFE_INTEGER) throw broken()
      if (byte < 0x80) return value
    }
  }
}

function broken() {
  return new MapFileFault('broken', 'The directory of the file is broken: it leads to tiles that are not there.')
}

/** Returns the index of the entry that a tile is in, or is to be found through; undefined if there is none. */
export function findEntry({ ids, runs }: Directory, tileId: number): number | undefined {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ids[middle] <= tileId) low = middle + 1
    else high = middle
  }
  const last = low - 1
  if (last < 0) return undefined
  return runs[last] === 0 || tileId < ids[last] + runs[last] ? last : undefined
}

/** Returns the id of a tile: its place on the Hilbert curve of its level, after all lower levels (PMTiles 3, 4.1). */
export function tileIdOf({ zoom, x, y }: { zoom: number; x: number; y: number }): number {
  let id = (4 ** zoom - 1) / 3
  let [column, row] = [x, y]
  for (let side = 2 ** zoom / 2; side >= 1; side /= 2) {
    const isEast = (column & side) > 0
    const isSouth = (row & side) > 0
    id += side * side * (isEast ? (isSouth ? 2 : 3) : isSouth ? 1 : 0)
    if (isSouth) continue
    if (isEast) {
      column = side - 1 - (column & (side - 1))
      row = side - 1 - (row & (side - 1))
    }
    ;[column, row] = [row, column]
  }
  return id
}
