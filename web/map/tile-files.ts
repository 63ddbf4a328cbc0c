import { addProtocol } from 'maplibre-gl'
import { Compression, FetchSource, PMTiles, Protocol, type RangeResponse } from 'pmtiles'

/** Largest tile or directory that is requested. Those of ordinary files are far below 1 MiB. */
const MAX_STORED_BYTES = 8 * 1_048_576
/** Largest size that it may unfold to, so that a malicious file cannot fill the memory of the page. */
const MAX_UNFOLDED_BYTES = 32 * 1_048_576

const protocol = new Protocol()
addProtocol('pmtiles', protocol.tile)

/** Reads ranges of a file, of a bounded length. */
class BoundedSource extends FetchSource {
  override async getBytes(offset: number, length: number, signal?: AbortSignal, etag?: string): Promise<RangeResponse> {
    if (length > MAX_STORED_BYTES) throw new Error(`A part of the map file is too large: ${length} bytes`)
    try {
      return await super.getBytes(offset, length, signal, etag)
    } catch (error) {
      // The library remembers failures. Later tiles are read as if the file were new.
      if (!signal?.aborted) addFile(this)
      throw error
    }
  }
}

function addFile(source: BoundedSource): PMTiles {
  const file = new PMTiles(source, undefined, decompress)
  protocol.add(file)
  return file
}

/** Returns the address of a file's tiles for MapLibre. The file is read by ranges, as tiles are needed. */
export function tilesAddress(url: string): string {
  return `pmtiles://${openTileFile(url).source.getKey()}/{z}/{x}/{y}`
}

/** Opens a file once for all maps of the page. */
export function openTileFile(url: string): PMTiles {
  const address = new URL(url, location.href).href
  return protocol.get(address) ?? addFile(new BoundedSource(address))
}

/** Decompresses bytes up to a limit. */
async function decompress(bytes: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression === Compression.None || compression === Compression.Unknown) return bytes
  if (compression !== Compression.Gzip) throw new Error('The map file is compressed in an unknown way')
  let unfoldedBytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      unfoldedBytes += piece.length
      if (unfoldedBytes > MAX_UNFOLDED_BYTES) throw new Error('A part of the map file unfolds too much')
      controller.enqueue(piece)
    },
  })
  const unfolded = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).pipeThrough(limit)
  return await new Response(unfolded).arrayBuffer()
}
