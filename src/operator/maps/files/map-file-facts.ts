import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { checkRootDirectory } from '../../domain/map-file-directory.ts'
import { leastLength, MapFileFault, type MapFileHeader, readMapFileHeader } from '../../domain/map-file-header.ts'
import { type MapFileFacts, readMapFileMetadata } from '../../domain/map-file-metadata.ts'

/** A directory of 16 KiB and metadata of 1 MiB unfold to far less than this, unless they are meant to do harm. */
const MAX_UNFOLDED_BYTES = 16 * 1_048_576

const unzip = promisify(gunzip)

/** The parts of a map file that tell what it is. */
type MapFileParts = {
  /** The first 16 KiB, or the whole file if it is shorter. */
  beginning: Buffer
  metadata: Buffer
  sizeBytes: number
}

/**
 * Checks the parts of a map file and returns what they say.
 * @throws MapFileFault
 */
export async function readMapFileFacts({ beginning, metadata, sizeBytes }: MapFileParts): Promise<MapFileFacts> {
  const header = readMapFileHeader(beginning)
  const least = leastLength(header)
  if (sizeBytes < least)
    throw new MapFileFault(
      'incomplete',
      `The file is incomplete: it has ${sizeBytes} bytes, and its header names ${least}.`,
    )
  const { offset, length } = header.root
  checkRootDirectory(await unfold(beginning.subarray(offset, offset + length), header), header)
  const text = (await unfold(metadata, header)).toString('utf8')
  const { attribution, encoding, tileSize } = readMapFileMetadata(text, header)
  return {
    format: header.tileType === 'mvt' ? 'vector' : 'raster',
    tile_type: header.tileType,
    min_zoom: header.minZoom,
    max_zoom: header.maxZoom,
    bounds: header.bounds,
    attribution,
    elevation_encoding: encoding,
    tile_size: tileSize,
  }
}

async function unfold(bytes: Buffer, { isInternalGzip }: MapFileHeader): Promise<Buffer> {
  if (!isInternalGzip || bytes.length === 0) return bytes
  try {
    return await unzip(bytes, { maxOutputLength: MAX_UNFOLDED_BYTES })
  } catch {
    throw new MapFileFault(
      'broken',
      'The directory or the metadata of the file are broken: they cannot be decompressed.',
    )
  }
}
