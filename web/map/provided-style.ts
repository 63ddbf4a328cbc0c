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
