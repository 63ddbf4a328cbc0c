import { type Flavor, layers, namedFlavor } from '@protomaps/basemaps'
import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import { baseStyle, type World } from './base-style.ts'
import type { MapLook, TileFile } from './shown-map.ts'
import { attributionOf, OPENSTREETMAP, placeOf, tileSizeOf } from './tile-files.ts'

const BASEMAP = 'basemap'
const PROTOMAPS = '<a href="https://protomaps.com" target="_blank">Protomaps</a>'

type FileStyleOptions = { file: TileFile; world: World; look: MapLook }

/** Returns the style of a map file, with the outlines of the world under and around it. */
export async function fileStyle({ file, world, look }: FileStyleOptions): Promise<StyleSpecification> {
  const flavor = namedFlavor(look.dark ? 'dark' : 'light')
  const under = outlinesUnder(world, look.dark, file.format === 'vector' ? flavor : undefined)
  const over = file.format === 'vector' ? vectorLayers(flavor, look.language) : [rasterLayer(look.dark)]
  return {
    version: 8,
    sources: { ...under.sources, [BASEMAP]: await basemapSource(file) },
    layers: [...under.layers, ...over],
  }
}

async function basemapSource(file: TileFile): Promise<SourceSpecification> {
  const tiles = placeOf(file)
  if (file.format === 'vector') return { type: 'vector', ...tiles, attribution: `${PROTOMAPS} ${OPENSTREETMAP}` }
  return { type: 'raster', ...tiles, tileSize: await tileSizeOf(file), attribution: attributionOf(file) }
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
