import type { Page } from 'playwright-core'
import sharp from 'sharp'
import type { CastleRace } from './castle-race.ts'
import type { Scene } from './studio.ts'

const PUBLICATION = '/p/operating-trackpress'
const MAX_POLLS = 60
/** Minimum difference of colours on a map with lines, above that of its buttons. */
const DRAWN_STDEV = 12

/** Lists every picture of the documentation. Addresses come from the server. */
export function listScenes(race: CastleRace): Scene[] {
  const live = { path: `/dashboard/events/${race.id}`, pose: showsMap }
  const profile = { path: `/dashboard/tracks/${race.trackId}`, pose: showsMap, heightPx: 960 }
  const publication = { path: `${PUBLICATION}#page-4`, pose: showsPages }
  return [
    { name: 'live-map', ...live },
    { name: 'live-map-dark', ...live, isDark: true },
    { name: 'live-map-phone', path: race.shareUrl, pose: showsMap, isPhone: true },
    { name: 'results', path: `/dashboard/events/${race.id}/results?view=passings`, pose: showsResults },
    { name: 'course', path: `/dashboard/events/${race.id}/course`, pose: showsMap, heightPx: 960 },
    { name: 'track', ...profile },
    { name: 'track-dark', ...profile, isDark: true },
    { name: 'library', path: '/dashboard/', pose: opensLibrary },
    { name: 'publication', ...publication },
    { name: 'publication-dark', ...publication, isDark: true },
    { name: 'publication-phone', path: PUBLICATION, pose: showsPages, isPhone: true },
  ]
}

/** Waits until the map is drawn. Until then its centre has a single colour. */
async function showsMap(page: Page): Promise<void> {
  const canvas = page.locator('canvas.maplibregl-canvas')
  await canvas.waitFor()
  for (let looks = 0; looks < MAX_POLLS; looks++) {
    const { channels } = await sharp(await canvas.screenshot()).stats()
    if (channels.some(({ stdev }) => stdev > DRAWN_STDEV)) return
    await page.waitForTimeout(500)
  }
  throw new Error('The map stayed empty.')
}

/** Navigates from the first page by the texts of the links. */
async function opensLibrary(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /^(publications|workspaces|library)$/i })
    .first()
    .click()
  await page.getByRole('link', { name: 'Library', exact: true }).last().click()
  await page.getByText('Operating Trackpress').first().waitFor()
}

async function showsResults(page: Page): Promise<void> {
  await page.getByText('Isard').first().waitFor()
}

async function showsPages(page: Page): Promise<void> {
  await page.getByRole('img').first().waitFor()
}
