import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Send } from './mountain-race.ts'

/** Uploads a map file, and one with elevations if there is one, and chooses them for all pages. */
export async function chooseMapFile(send: Send, path: string, elevationPath: string | undefined): Promise<void> {
  const upload = async (file: string) => {
    const address = `/operator/map/files?name=${encodeURIComponent(basename(file))}`
    return (await send<{ id: string }>('POST', address, readFileSync(file), 'application/vnd.pmtiles')).id
  }
  const file_id = await upload(path)
  const elevation_file_id = elevationPath === undefined ? null : await upload(elevationPath)
  const style = { style_url: null, dark_style_url: null, origins: [] }
  await send('PUT', '/operator/map', { kind: 'file', file_id, elevation_file_id, ...style })
}
