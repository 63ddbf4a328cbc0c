import { loadProvidedStyle } from './provided-style.ts'

/** Sources whose address is that of a description, which names the addresses of the tiles (TileJSON). */
const DESCRIBED = new Set(['vector', 'raster', 'raster-dem'])

/**
 * Finds the origins that a style loads from, by loading the style and the descriptions of its tiles. The page must be
 * allowed to. Rejects if one of them cannot be loaded.
 * @returns https origins, sorted, with that of the style
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
