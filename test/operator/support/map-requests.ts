import type { MapChoice, MapSettings } from '../../../src/maps/schemas.ts'
import type { Browser } from '../../support/browser.ts'
import { makeVectorMap } from '../../support/make-map-file.ts'
import { answered } from './answered.ts'

/** A small map file with vector tiles. */
export const VECTOR = makeVectorMap({ maxZoom: 6 })

/** Chooses the map of the installation. */
export function choose(browser: Browser, choice: Partial<MapChoice>): Promise<Response> {
  return browser.request('PUT', '/operator/map', { kind: 'default', ...choice })
}

/** Returns the choice, the map in use and the files. */
export function mapSettings(browser: Browser): Promise<MapSettings> {
  return answered<MapSettings>(200, browser.request('GET', '/operator/map'))
}

/** Sends a file as the dashboard does. */
export async function uploadMap(
  url: string,
  { cookie }: Browser,
  bytes: Buffer,
  name = 'region.pmtiles',
): Promise<Response> {
  return await fetch(`${url}/operator/map/files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/vnd.pmtiles' },
    body: new Uint8Array(bytes),
  })
}
