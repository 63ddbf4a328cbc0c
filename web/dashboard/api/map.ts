import { queryOptions } from '@tanstack/react-query'
import type { MapChoice, MapFile, MapSettings } from '../../../src/operator/maps/map-schemas.ts'
import { apiPaths, withQuery } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'
import { sendFile } from './send-file.ts'

export type { MapChoice, MapFile, MapSettings }

/** The chosen map, and the files to choose from. */
export const mapQuery = queryOptions({
  queryKey: queryKeys.map,
  queryFn: ({ signal }) => request<MapSettings>('GET', apiPaths.map, { signal }),
})

/** Chooses the map of all pages. */
export function chooseMap(choice: MapChoice): Promise<MapSettings> {
  return request('PUT', apiPaths.map, { body: choice })
}

/** Deletes an uploaded map file. */
export function deleteMapFile(id: string): Promise<void> {
  return request('DELETE', apiPaths.mapFile(id))
}

/** Uploads a map file and reports its progress. */
export async function uploadMapFile(
  file: File,
  options: { signal: AbortSignal; onSent(sentBytes: number): void },
): Promise<MapFile> {
  const address = withQuery(apiPaths.mapFiles, { name: file.name.slice(-200) })
  return JSON.parse(await sendFile('POST', address, file, { ...options, type: 'application/vnd.pmtiles' })) as MapFile
}
