import { MapFileFault, type MapFileHeader } from './map-file-header.ts'

/** Entries that a directory of 16 KiB can name when it is decompressed, with room to spare. */
const MAX_ENTRIES = 1_000_000

/**
 * Checks a decompressed root directory (PMTiles 3, 4): its entries are in order, and each leads to bytes
 * within the tiles or the leaf directories.
 * @throws MapFileFault
 */
export function checkRootDirectory(bytes: Uint8Array, { tiles, leaves }: MapFileHeader): void {
  const next = varints(bytes)
  const count = next()
  if (count === 0) throw new MapFileFault('empty', 'The file has no tiles.')
  if (count > MAX_ENTRIES || count > bytes.length) throw broken()
  const column = () => Array.from({ length: count }, next)
  // The first column has differences. From the second entry on, 0 means that a tile repeats an id.
  if (column().some((difference, i) => i > 0 && difference === 0)) throw broken()
  const runs = column()
  const lengths = column()
  let end = 0
  for (let i = 0; i < count; i++) {
    const stored = next()
    if (stored === 0 && i === 0) throw broken()
    // 0 means that the bytes follow those of the entry before.
    const offset = stored === 0 ? end : stored - 1
    end = offset + lengths[i]
    if (lengths[i] === 0 || end > (runs[i] === 0 ? leaves : tiles).length) throw broken()
  }
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
