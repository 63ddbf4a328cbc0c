import { addProtocol } from 'maplibre-gl'
import { Compression, FetchSource, PMTiles, Protocol, type RangeResponse } from 'pmtiles'
import type { TileFile } from './shown-map.ts'

export const OPENSTREETMAP = '<a href="https://www.openstreetmap.org/copyright" target="_blank">© OpenStreetMap</a>'

/** Returns where tiles are, for a source of MapLibre, which enlarges the tiles of the highest zoom level beyond it. */
export function placeOf({ url, min_zoom, max_zoom, bounds }: TileFile) {
  const [west, south, east, north] = bounds
  const limits: [number, number, number, number] = [west, south, east, north]
  return { tiles: [tilesAddress(url)], minzoom: min_zoom, maxzoom: max_zoom, bounds: limits }
}

/** Returns the width of a tile's image: from the file's metadata, or else from a tile in its middle. */
export async function tileSizeOf({
  url,
  tile_size,
  min_zoom,
  bounds: [west, south, east, north],
}: TileFile): Promise<number> {
  if (tile_size !== null) return tile_size
  const column = ((west + east) / 2 + 180) / 360
  const latitude = (((south + north) / 2) * Math.PI) / 180
  const row = (1 - Math.asinh(Math.tan(latitude)) / Math.PI) / 2
  const count = 2 ** min_zoom
  try {
    const tile = await openTileFile(url).getZxy(min_zoom, Math.floor(column * count), Math.floor(row * count))
    const image = await createImageBitmap(new Blob([tile!.data]))
    return image.width
  } catch {
    return 256
  }
}

/** Returns the attribution of images as HTML, with a link where it names OpenStreetMap. */
export function attributionOf({ attribution }: TileFile): string {
  const escaped = (attribution ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return escaped.replace(/©?\s*OpenStreetMap( contributors)?/, OPENSTREETMAP)
}

/** Largest tile or directory that is requested. Ordinary files stay far below 1 MiB. */
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
function tilesAddress(url: string): string {
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
