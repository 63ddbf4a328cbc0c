import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'

/**
 * Loads the style of a provider, with its labels in the reader's language where the tiles have them.
 * Rejects if it cannot be loaded, or is no style of MapLibre.
 */
export async function loadProvidedStyle(address: string, language: string): Promise<StyleSpecification> {
  const response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' })
  if (!response.ok) throw new Error(`The style of the map cannot be loaded: ${response.status}`)
  const style = (await response.json()) as StyleSpecification
  if (style?.version !== 8 || !Array.isArray(style.layers)) throw new Error('The address has no style of MapLibre')
  return localised(withAbsoluteAddresses(style, response.url || address), language)
}

/** Returns a style whose labels are in a language where the tiles have them; other labels stay as they are. */
export function localised(style: StyleSpecification, language: string): StyleSpecification {
  return { ...style, layers: style.layers.map((layer) => inLanguage(layer, language)) }
}

function inLanguage(layer: LayerSpecification, language: string): LayerSpecification {
  if (layer.type !== 'symbol') return layer
  const text = layer.layout?.['text-field']
  if (!isName(text)) return layer
  // A text with {name} in it has another syntax than an expression, and cannot be part of one.
  const others =
    typeof text === 'string'
      ? [
          ['get', 'name:latin'],
          ['get', 'name'],
        ]
      : [text]
  const localName = ['coalesce', ['get', `name:${language}`], ['get', `name_${language}`], ...others]
  return { ...layer, layout: { ...layer.layout, 'text-field': localName as never } }
}

/** Tells whether a label is a name, and not the number of a road or a house. */
function isName(text: unknown): boolean {
  const properties = [...JSON.stringify(text ?? '').matchAll(/\["get","([^"]+)"\]|\{([^}"]+)\}/g)].map(
    ([, got, named]) => got ?? named ?? '',
  )
  return properties.length > 0 && properties.every((name) => /^name(?:[:_].+)?$/.test(name))
}

/** Returns a style in which relative addresses are complete: MapLibre gets the style without its own address. */
export function withAbsoluteAddresses(style: StyleSpecification, base: string): StyleSpecification {
  const complete = (text: string) =>
    /^[a-z][a-z\d+.-]*:/i.test(text) ? text : new URL(text, base).href.replaceAll('%7B', '{').replaceAll('%7D', '}')
  const sources = Object.entries(style.sources ?? {}).map(([name, source]) => {
    const { url, tiles, data } = source as { url?: unknown; tiles?: unknown; data?: unknown }
    return [
      name,
      {
        ...source,
        ...(typeof url === 'string' ? { url: complete(url) } : {}),
        ...(typeof data === 'string' ? { data: complete(data) } : {}),
        ...(Array.isArray(tiles) ? { tiles: tiles.map((tile) => complete(String(tile))) } : {}),
      },
    ]
  })
  const { sprite, glyphs } = style
  return {
    ...style,
    sources: Object.fromEntries(sources),
    ...(typeof glyphs === 'string' ? { glyphs: complete(glyphs) } : {}),
    ...(typeof sprite === 'string' ? { sprite: complete(sprite) } : {}),
    ...(Array.isArray(sprite) ? { sprite: sprite.map((one) => ({ ...one, url: complete(one.url) })) } : {}),
  }
}

/** Sources whose address leads to a description, which names the addresses of the tiles (TileJSON). */
const DESCRIBED = new Set(['vector', 'raster', 'raster-dem'])

/**
 * Finds the origins that a style loads from, by loading the style and the descriptions of its tiles. The page must be
 * allowed to. Rejects if one of them cannot be loaded.
 * @returns https origins, sorted, including the style's own
 */
export async function findStyleOrigins(address: string): Promise<string[]> {
  const { sources, glyphs, sprite } = await loadProvidedStyle(address, '')
  const inSources = await Promise.all(
    Object.values(sources).map(async (source) => {
      const { type, url, data, tiles = [] } = source as { type: string; url?: string; data?: unknown; tiles?: string[] }
      const described = url !== undefined && DESCRIBED.has(type) ? await describedTiles(url) : []
      return [url, data, ...tiles, ...described]
    }),
  )
  const sprites = typeof sprite === 'string' ? [sprite] : (sprite ?? []).map(({ url }) => url)
  const origins = [address, ...inSources.flat(), glyphs, ...sprites]
    .filter((text) => typeof text === 'string')
    .map((text) => URL.parse(text))
    .filter((url) => url !== null && ['http:', 'https:'].includes(url.protocol))
    .map((url) => url!.origin)
  return [...new Set(origins)].sort()
}

/** Returns the addresses of tiles that a TileJSON names, and its own after redirects. */
async function describedTiles(address: string): Promise<unknown[]> {
  const response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' })
  if (!response.ok) throw new Error(`The description of the tiles cannot be loaded: ${response.status}`)
  const { tiles } = (await response.json()) as { tiles?: unknown }
  return [response.url, ...(Array.isArray(tiles) ? tiles : [])]
}
