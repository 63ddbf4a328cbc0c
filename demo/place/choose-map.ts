import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { OperatorSession } from '../operator-session.ts'

/** The map of the demo's race: see the README of its folder. */
export const MAP_PATH = fileURLToPath(new URL('liechtenstein.pmtiles', import.meta.url))

/** Chooses the demo's map for all pages, unless the installation has one by its settings. */
export async function chooseMap({ request, upload }: OperatorSession): Promise<void> {
  const { in_use } = await request<{ in_use: { is_chosen: boolean } }>('GET', '/operator/map')
  if (in_use.is_chosen) return
  const path = '/operator/map/files?name=Liechtenstein%20(demo).pmtiles'
  const { id } = await upload<{ id: string }>('POST', path, readFileSync(MAP_PATH), 'application/vnd.pmtiles')
  await request('PUT', '/operator/map', { kind: 'file', file_id: id })
}
