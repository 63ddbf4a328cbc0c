import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { webIsBuilt } from '../../scripts/web-sources.mjs'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound } from '../support/visit.ts'
import { walkPoints } from './recorded-walk.ts'

const built = new URL('../../dist/dashboard/', import.meta.url)

/** Everything that loads before the first page is shown. Code of single pages loads with those pages. */
const FIRST_LOAD_BYTES = 290_000
/** Transferred bytes until the live map of an event is there with its list, from nothing cached. */
const LIVE_BYTES = 315_000

describe('the dashboard on a slow network', () => {
  const page = readFileSync(new URL('index.html', built), 'utf8')
  const loaded = [...page.matchAll(/(?:src|href)="\/dashboard\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path)

  test('loads little at first', () => {
    const sizes = loaded.map((path) => gzipSync(readFileSync(new URL(path, built))).length)

    const total = sizes.reduce((sum, size) => sum + size, gzipSync(page).length)
    assert.ok(loaded.length > 2)
    assert.ok(total < FIRST_LOAD_BYTES, `${total} bytes`)
  })

  test('loads the map library only on pages with a map', () => {
    const scripts = loaded.filter((path) => path.endsWith('.js'))

    const withMap = scripts.filter((path) => readFileSync(new URL(path, built), 'utf8').includes('maplibregl-canvas'))

    assert.ok(scripts.length > 1)
    assert.deepEqual(withMap, [])
  })
})

/** Names in scripts that every page has: of operations, of uploads, and of the headings and tabs of other pages. */
const OF_OTHER_PAGES = /^(operator\w+|(upload|refused|publication)\.\w+|comparison\.title|sheet\.codes|nav\.audit)$/

describe('the live map of an operator on a slow line', async () => {
  const dashboard = await openDashboard({ after })
  const { service } = dashboard
  const address = dashboard.at(`/events/${service.eventId}`)
  const made = await service.request('POST', '/tracks', { device_track_id: 'one', title: 'Lone runner' })
  const { id } = (await made.json()) as { id: string }
  await service.request('POST', `/tracks/${id}/points`, { points: walkPoints(5, { startMs: Date.now() - 60_000 }) })

  test('says with the first answer that it is loading, before any script or style, in the language of the browser', async (t) => {
    const page = await dashboard.visitSignedIn(t, { isFirst: true, locale: 'fr-FR' })
    const { promise, resolve: release } = Promise.withResolvers<void>()
    await page.route(/\/dashboard\/assets\//, async (route) => {
      await promise
      await route.continue().catch(() => {})
    })

    await page.goto(address, { waitUntil: 'commit' })
    await page.getByRole('status').getByText('Chargement…').waitFor()

    assert.equal(await page.evaluate('document.documentElement.lang'), 'fr')
    release()
    await page.getByRole('button', { name: /^Lone runner/ }).waitFor()
  })

  test('names the event, and has asked for everything that it needs, while the libraries are on their way', async (t) => {
    const page = await dashboard.visitSignedIn(t, { isFirst: true })
    const { promise, resolve: release } = Promise.withResolvers<void>()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.route(/\/libraries-[\w-]+\.js$/, async (route) => {
      await promise
      await route.continue().catch(() => {})
    })

    await page.goto(address, { waitUntil: 'commit' })
    const { name } = await (await page.request.get(`${service.url}/operator/events/${service.eventId}`)).json()
    await page.getByText(name, { exact: true }).waitFor()
    const before = [...asked]
    release()
    await page.getByRole('button', { name: /^Lone runner/ }).waitFor()
    // Later, it asks for the next frame.
    const all = [...asked]
    await assertSound(page)

    const ends = ['/session', '/settings', `/${service.eventId}`, '/frames/latest', '/tracks', '/course']
    for (const end of ends)
      assert.equal(all.filter((path) => path.endsWith(end) && path.startsWith('/op')).length, 1, end)
    assert.ok(before.some((path) => path.includes('/live-map-page-')))
    assert.ok(before.some((path) => path.includes('/assets/en-')))
  })

  test('loads little before its map and its list', async (t) => {
    const page = await dashboard.visitSignedIn(t, { isFirst: true })
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    let bytes = 0
    session.on('Network.dataReceived', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    // The map and its library are asked for with the first positions.
    await page.route(/\/(?:maplibre-gl|full-map|map-view|base-style|course-layers|distance-marks)-/, (route) =>
      route.abort(),
    )

    await page.goto(address, { waitUntil: 'commit' })
    await page.getByRole('button', { name: /^Lone runner/ }).waitFor()

    assert.ok(bytes < LIVE_BYTES, `${bytes} bytes`)
  })

  test('has every text that its scripts name before the texts of other pages have come', () => {
    const texts = (end: string) => JSON.parse(readFileSync(new URL(end, locales), 'utf8')) as object
    const areas = globSync('*.json', { cwd: fileURLToPath(locales) }).filter((file) => file !== 'reader.json')
    const keys = new Set(areas.flatMap((file) => Object.keys(texts(file)).map(withoutForm)))
    const own = ['account', 'events', 'live', 'map', 'race', 'shell', 'tracks'].flatMap((area) =>
      Object.keys(texts(`${area}.json`)),
    )
    const isThere = new Set(own.map(withoutForm))
    const named = scriptsOfLiveMap()
      .flatMap((code) => [...code.matchAll(/[(?:,]`([\w.]+)`/g)].map(([, key]) => key))
      .filter((key) => keys.has(key) && !OF_OTHER_PAGES.test(key))

    assert.ok(named.length > 100, `${named.length} texts`)
    assert.deepEqual([...new Set(named.filter((key) => !isThere.has(key)))], [])
  })
})

const locales = new URL('../../web/locales/en/', import.meta.url)

function withoutForm(key: string): string {
  return key.replace(/_(one|other)$/, '')
}

/** Returns the code of all scripts that a live map imports before it is shown. */
function scriptsOfLiveMap(): string[] {
  const cwd = fileURLToPath(new URL('assets/', built))
  const found = new Map<string, string>()
  const add = (file: string) => {
    if (found.has(file)) return
    const code = readFileSync(new URL(`assets/${file}`, built), 'utf8')
    found.set(file, code)
    for (const [, next] of code.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g)) add(next)
  }
  for (const file of globSync('{live-map-page,live-bar,full-map}-*.js', { cwd })) add(file)
  return [...found.values()]
}

test('the build of the pages marks its sources, so that no command builds them again', () => {
  assert.ok(webIsBuilt())
})
