import { type Flavor, layers, namedFlavor } from '@protomaps/basemaps'
import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import { baseStyle } from './base-style.ts'
import type { MapLook, TileFile } from './shown-map.ts'
import { openTileFile, tilesAddress } from './tile-files.ts'
import type { World } from './world.ts'

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

/** Returns the width of a tile's image: what the file says, or else that of a tile in its middle. */
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
 * Returns the layers for tiles in the Protomaps schema, without what needs images. The browser's fonts draw the labels.
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
