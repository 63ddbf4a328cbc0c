import { MapFileFault, type MapFileHeader } from './map-file-header.ts'

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
