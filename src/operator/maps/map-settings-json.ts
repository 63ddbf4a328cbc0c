import { type ChosenMap, usesFile } from './chosen-map.ts'
import { type LibraryFile, type MapLibrary, tilesPath } from './files/map-library.ts'
import type { MapChoice, MapFile, MapSettings } from './map-schemas.ts'

export type MapSettingsDeps = {
  chosenMap: Pick<ChosenMap, 'choice' | 'forPages'>
  mapLibrary: Pick<MapLibrary, 'list'>
  /** MAP_STYLE_URL; empty if it is not set. */
  mapStyleUrl: string
  maxMapFileBytes: number
}

/** Returns the chosen map with all files to choose from. */
export async function mapSettingsJson(deps: MapSettingsDeps): Promise<MapSettings> {
  const { chosenMap, mapLibrary, mapStyleUrl, maxMapFileBytes } = deps
  const [choice, { inUse }, files] = await Promise.all([chosenMap.choice(), chosenMap.forPages(), mapLibrary.list()])
  return {
    choice,
    in_use: inUse,
    files: files.map((file) => mapFileJson(file, choice)),
    default_style_url: mapStyleUrl === '' ? null : mapStyleUrl,
    max_file_bytes: maxMapFileBytes,
  }
}

/** Returns a file for the list. */
export function mapFileJson(file: LibraryFile, choice: MapChoice): MapFile {
  const { id, name, place, sizeBytes, facts, fault } = file
  return {
    id,
    name,
    place,
    size_bytes: sizeBytes,
    url: tilesPath(file),
    facts,
    fault: fault?.kind ?? null,
    is_in_use: usesFile(choice, id),
  }
}
