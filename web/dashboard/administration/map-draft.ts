import { OUTLINES, type ShownMap } from '../../map/shown-map.ts'
import type { MapChoice, MapFile, MapSettings } from '../generated/types.gen.ts'
import type { Key } from '../i18n/en.ts'

/** A choice that is being made. */
export type MapDraft = Omit<MapChoice, 'origins'>

/** The result of loading a style in the preview. */
export type StyleCheck = {
  state: 'loaded' | 'failed'
  styleUrl: string
  darkStyleUrl: string | null
  /** The hosts that it loads from. */
  origins: string[]
}

/** OpenFreeMap serves OpenStreetMap for free, without a key (https://openfreemap.org). */
export const OPEN_FREE_MAP = {
  style_url: 'https://tiles.openfreemap.org/styles/liberty',
  dark_style_url: 'https://tiles.openfreemap.org/styles/dark',
}

/** Returns the draft to begin with: the present choice. */
export function draftOf({ choice, default_style_url }: MapSettings): MapDraft {
  const { origins: _origins, ...draft } = choice
  return draft.kind === 'default' && default_style_url === null ? { ...draft, kind: 'outlines' } : draft
}

/** Returns the address of a style if it is one; undefined while it is being typed. */
export function styleAddress(text: string | null): string | undefined {
  const url = URL.parse((text ?? '').trim())
  if (url === null) return undefined
  const isHere = ['localhost', '127.0.0.1'].includes(url.hostname)
  return url.protocol === 'https:' || (isHere && url.protocol === 'http:') ? url.href : undefined
}

/** Returns the map that a draft stands for; undefined while something is missing. */
export function shownOf(draft: MapDraft, { files, default_style_url }: MapSettings): ShownMap | undefined {
  const elevation = tileFile(files, draft.elevation_file_id)
  if (draft.kind === 'outlines') return { ...OUTLINES, elevation }
  if (draft.kind === 'file') {
    const file = tileFile(files, draft.file_id)
    if (file === null) return undefined
    const attribution = draft.attribution?.trim() || file.attribution
    return { ...OUTLINES, kind: 'file', file: { ...file, attribution }, elevation }
  }
  const isDefault = draft.kind === 'default'
  const style = styleAddress(isDefault ? default_style_url : draft.style_url)
  const dark = isDefault ? null : (styleAddress(draft.dark_style_url) ?? null)
  if (style === undefined) return undefined
  return { ...OUTLINES, kind: 'style', style_url: style, dark_style_url: dark, elevation }
}

/** Returns the files that can show elevations: images without loss. */
export function elevationFiles(files: readonly MapFile[]): MapFile[] {
  return files.filter(({ facts }) => facts !== null && ['png', 'webp'].includes(facts.tile_type))
}

function tileFile(files: readonly MapFile[], id: string | null): ShownMap['file'] {
  const file = files.find((one) => one.id === id)
  return file?.facts ? { url: file.url, ...file.facts } : null
}

/** Returns the text that says what a draft lacks; undefined if it can be saved. A style has to be loaded first. */
export function missingOf(
  draft: MapDraft,
  shown: ShownMap | undefined,
  check: StyleCheck | undefined,
): Key | undefined {
  if (draft.kind === 'file' && shown === undefined) return 'map.fileMissing'
  if (draft.kind !== 'style') return undefined
  if (shown === undefined) return 'map.styleMissing'
  return check?.state === 'loaded' ? undefined : 'map.styleUnchecked'
}

/** Returns the choice of a draft from which nothing is missing. */
export function choiceOf(draft: MapDraft, shown: ShownMap, check: StyleCheck | undefined): MapChoice {
  if (draft.kind !== 'style') return { ...draft, origins: [] }
  const { style_url, dark_style_url } = shown
  return { ...draft, style_url, dark_style_url, origins: check?.origins ?? [] }
}
