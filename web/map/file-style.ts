import { type Flavor, layers, namedFlavor } from '@protomaps/basemaps'
import { addProtocol, type LayerSpecification, type SourceSpecification, type StyleSpecification } from 'maplibre-gl'
import { Compression, FetchSource, PMTiles, Protocol, type RangeResponse } from 'pmtiles'
import { baseStyle, type World } from './base-style.ts'
import type { MapLook, TileFile } from './shown-map.ts'

const BASEMAP = 'basemap'
const ELEVATION = 'elevation'
const OPENSTREETMAP = '<a href="https://www.openstreetmap.org/copyright" target="_blank">© OpenStreetMap</a>'
const PROTOMAPS = '<a href="https://protomaps.com" target="_blank">Protomaps</a>'

type FileStyleOptions = { file: TileFile; elevation: TileFile | null; world: World; look: MapLook }

/** Returns the style of a map file, with the outlines of the world under and around it. */
export async function fileStyle({ file, elevation, world, look }: FileStyleOptions): Promise<StyleSpecification> {
  const flavor = namedFlavor(look.dark ? 'dark' : 'light')
  const under = outlinesUnder(world, look.dark, file.format === 'vector' ? flavor : undefined)
  const over = file.format === 'vector' ? vectorLayers(flavor, look.language) : [rasterLayer(look.dark)]
  return {
    version: 8,
    sources: {
      ...under.sources,
      [BASEMAP]: await basemapSource(file),
      ...(elevation === null ? {} : { [ELEVATION]: await elevationSource(elevation) }),
    },
    layers: [...under.layers, ...(elevation === null ? over : withHills(over, look.dark))],
  }
}

async function basemapSource(file: TileFile): Promise<SourceSpecification> {
  const tiles = placeOf(file)
  if (file.format === 'vector') return { type: 'vector', ...tiles, attribution: `${PROTOMAPS} ${OPENSTREETMAP}` }
  return { type: 'raster', ...tiles, tileSize: await tileSizeOf(file), attribution: attributionOf(file) }
}

async function elevationSource(file: TileFile): Promise<SourceSpecification> {
  return {
    type: 'raster-dem',
    ...placeOf(file),
    tileSize: await tileSizeOf(file),
    encoding: file.elevation_encoding ?? 'terrarium',
    attribution: attributionOf(file),
  }
}

/** MapLibre enlarges the tiles of the highest zoom level beyond it. */
function placeOf({ url, min_zoom, max_zoom, bounds }: TileFile) {
  const [west, south, east, north] = bounds
  const limits: [number, number, number, number] = [west, south, east, north]
  return { tiles: [tilesAddress(url)], minzoom: min_zoom, maxzoom: max_zoom, bounds: limits }
}

/** Returns the width of a tile's image: from the file's metadata, or else from a tile in its middle. */
async function tileSizeOf({ url, tile_size, min_zoom, bounds: [west, south, east, north] }: TileFile): Promise<number> {
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

/** Returns the outlines under names of their own, in the colours of the map above them. */
function outlinesUnder(world: World, dark: boolean, flavor: Flavor | undefined) {
  const { sources, layers: outlines } = baseStyle(
    world,
    dark,
    flavor && { water: flavor.water, land: flavor.earth, coast: flavor.water, border: flavor.boundaries },
  )
  return { sources, layers: outlines.map((layer) => ({ ...layer, id: `outlines-${layer.id}` })) }
}

/**
 * Returns the layers for tiles in the Protomaps schema, without layers that need images. The browser's fonts draw the
 * labels.
 */
function vectorLayers(flavor: Flavor, language: string): LayerSpecification[] {
  const all = layers(BASEMAP, flavor, { lang: language }) as LayerSpecification[]
  return all.flatMap((layer): LayerSpecification[] => {
    if (layer.type === 'background') return []
    if (layer.type !== 'symbol' || layer.layout?.['icon-image'] === undefined) return [layer]
    if (layer.layout['text-field'] === undefined) return []
    const layout = Object.entries(layer.layout).filter(([name]) => !name.startsWith('icon-'))
    return [{ ...layer, layout: Object.fromEntries(layout) }]
  })
}

function rasterLayer(dark: boolean): LayerSpecification {
  return { id: BASEMAP, type: 'raster', source: BASEMAP, paint: { 'raster-brightness-max': dark ? 0.75 : 1 } }
}

/** Puts hill shading over the land and under water, roads and names; over an image, where it has no such parts. */
function withHills(over: readonly LayerSpecification[], dark: boolean): LayerSpecification[] {
  const hills: LayerSpecification = {
    id: 'hills',
    type: 'hillshade',
    source: ELEVATION,
    paint: {
      'hillshade-exaggeration': 0.35,
      'hillshade-shadow-color': dark ? '#000000' : '#4a4238',
      'hillshade-highlight-color': dark ? '#5b6670' : '#ffffff',
    },
  }
  const at = over.findIndex((layer) => 'source-layer' in layer && layer['source-layer'] === 'water')
  return at < 0 ? [...over, hills] : [...over.slice(0, at), hills, ...over.slice(at)]
}

/** Returns the attribution of images as HTML, with a link where it names OpenStreetMap. */
function attributionOf({ attribution }: TileFile): string {
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
function openTileFile(url: string): PMTiles {
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
