import type { StyleSpecification } from 'maplibre-gl'
import { baseStyle } from './base-style.ts'
import type { MapLook, ShownMap } from './shown-map.ts'
import { loadWorld } from './world.ts'

/** Returns the style of the outlines, which comes with the pages. Rejects if the server does not respond. */
export async function outlinesStyle(dark: boolean): Promise<StyleSpecification> {
  return baseStyle(await loadWorld(), dark)
}

/**
 * Returns the style of a map that was chosen instead of the outlines. What it is made with is loaded only now.
 * Rejects if a provider's style cannot be loaded.
 */
export async function chosenStyle(shown: ShownMap, look: MapLook): Promise<StyleSpecification> {
  if (shown.kind === 'file' && shown.file !== null) {
    const { file, elevation } = shown
    const [{ fileStyle }, world] = await Promise.all([import('./file-style.ts'), loadWorld()])
    return await fileStyle({ file, elevation, world, look })
  }
  if (shown.style_url === null) return await outlinesStyle(look.dark)
  const { loadProvidedStyle } = await import('./provided-style.ts')
  return await loadProvidedStyle((look.dark && shown.dark_style_url) || shown.style_url, look.language)
}
