import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound, WITH_MAP } from '../support/visit.ts'
import { walkPoints } from './recorded-walk.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Slow 3G: 400 kbit/s, 400 ms. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
/** Transferred bytes of the page itself with 100 runners: a fifth of a second on slow 3G. */
const TEXT_BYTES = 12_000
/**
 * Transferred bytes until the live list is there, and until the map is: libraries, styles, and texts of the program.
 */
const LIST_BYTES = 205_000
const ALL_BYTES = 950_000
/** The earlier page needed 77. */
const ALL_REQUESTS = 30
const RUNNERS = 100

/** A page's routes do not see all that it requests while it has a service worker. */
const WITHOUT_WORKER = { isFirst: true, serviceWorkers: 'block' } as const

const MAP = 'Map of the event’s tracks'
const FRAME = /\/frames\/(\d+|latest)$/
const MAP_LIBRARY = /\/assets\/map-[\w-]+\.js$/

describe('a spectator on a slow line', async () => {
  const dashboard = await openDashboard({ after }, { signedIn: true })
  const { service } = dashboard
  const address = await shareEvent()

  async function shareEvent(): Promise<string> {
    for (let number = 0; number < RUNNERS; number++) {
      const title = `Runner ${number}`
      const made = await service.request('POST', '/tracks', { device_track_id: title, title })
      const { id } = (await made.json()) as { id: string }
      const points = walkPoints(5, { startMs: Date.now() - 60_000 })
      await service.request('POST', `/tracks/${id}/points`, { points })
    }
    return await dashboard.share()
  }

  /** Shares another event, with one runner who stands. */
  async function shareOne(): Promise<string> {
    const { id: eventId, token } = await service.createEvent('One')
    const send = (path: string, json: object) => service.request('POST', path, json, { 'X-API-Key': token })
    const made = await send('/tracks', { device_track_id: 'one', title: 'Lone runner' })
    const { id } = (await made.json()) as { id: string }
    await send(`/tracks/${id}/points`, { points: walkPoints(1, { startMs: Date.now() - 60_000 }) })
    return await dashboard.share({}, eventId)
  }

  /** Opens a browser on slow 3G that counts its requests to the server, and the bytes that it gets. */
  async function visitSlowly(t: TestContext) {
    const page = await dashboard.visit(t, { viewport: { width: 390, height: 844 }, drawsMaps: true, ...WITHOUT_WORKER })
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', SLOW_3G)
    const count = { requests: 0, bytes: 0 }
    // Frames and newer states of the page go on coming, however long the rest takes: the first of each counts.
    const seen = new Set<string>()
    const newer = new Set<string>()
    session.on('Network.requestWillBeSent', ({ request: { url }, requestId }) => {
      const state = FRAME.test(url) ? 'frame' : url === address ? 'page' : undefined
      if (state === undefined && url.startsWith('http')) count.requests++
      if (state !== undefined && seen.has(state)) newer.add(requestId)
      if (state !== undefined) seen.add(state)
    })
    session.on('Network.responseReceived', ({ response }) => {
      // The script of the map's worker, which is asked for once and used twice.
      if (response.fromDiskCache) count.requests--
    })
    session.on('Network.dataReceived', ({ encodedDataLength, requestId }) => {
      if (!newer.has(requestId)) count.bytes += encodedDataLength
    })
    return { page, count }
  }

  /** Holds back answers at addresses that match, until `release` is called. */
  async function holdBack(page: Page, pattern: RegExp) {
    const { promise, resolve: release } = Promise.withResolvers<void>()
    await page.route(pattern, async (route) => {
      await promise
      await route.continue().catch(() => {})
    })
    return { release }
  }

  test('reads everyone with the first answer, before any script, style or map', async (t) => {
    const page = await dashboard.visit(t, { viewport: { width: 390, height: 844 }, isFirst: true })
    const asked: string[] = []
    page.on('requestfinished', (request) => asked.push(request.url()))
    const { release } = await holdBack(page, /\/s\/_\//)

    const answer = await page.goto(address, { waitUntil: 'commit' })
    await page.getByRole('listitem').getByText('Runner 99').waitFor()

    await page.getByRole('img', { name: 'The course and where the runners are' }).waitFor()
    assert.deepEqual(asked, [address])
    const { responseBodySize } = await answer!.request().sizes()
    assert.ok(responseBodySize < TEXT_BYTES, `${responseBodySize} bytes`)
    release()
  })

  test('gets the live list before the library of the map, and few requests for all of it', async (t) => {
    const { page, count } = await visitSlowly(t)
    const { release } = await holdBack(page, MAP_LIBRARY)

    await page.goto(address, { waitUntil: 'commit' })
    await page.getByRole('button', { name: /^Runner 1 / }).waitFor()
    await page.getByText('The map is loading…').waitFor()
    await page.getByRole('region', { name: MAP }).waitFor()

    assert.ok(count.bytes < LIST_BYTES, `${count.bytes} bytes`)
    release()
    await page.locator('.maplibregl-canvas').waitFor()
    await page.getByText('Natural Earth').waitFor({ state: 'attached' })
    assert.ok(count.requests <= ALL_REQUESTS, `${count.requests} requests`)
    assert.ok(count.bytes < ALL_BYTES, `${count.bytes} bytes`)
  })

  test('moves a sketch of the map until the library is there, which shows the same view', async (t) => {
    const page = await dashboard.visit(t, { ...WITHOUT_WORKER, ...WITH_MAP })
    const { release } = await holdBack(page, MAP_LIBRARY)
    await page.goto(await shareOne(), { waitUntil: 'commit' })
    const map = page.getByRole('region', { name: MAP })
    const card = page.getByRole('region', { name: 'Selected: Lone runner' })
    const { x, y, width, height } = (await map.boundingBox())!
    const [left, top] = [x + width / 2, y + height / 2]
    const choose = async (right: number, down: number) => {
      await page.mouse.click(left + right, top + down)
      await card.getByRole('button', { name: 'Deselect' }).click()
    }

    // The one position is in the middle, at first and whenever it is chosen.
    await page.locator('.sketch-ground canvas').nth(1).waitFor()
    const drag = async () => {
      await page.mouse.move(left, top)
      await page.mouse.down()
      await page.mouse.move(left + 120, top + 60, { steps: 5 })
      await page.mouse.up()
    }
    await drag()
    await page.mouse.wheel(0, -400)
    await choose(120, 60)
    await map.press('ArrowRight')
    await choose(-100, 0)
    await drag()
    await map.focus()
    release()
    await page.locator('.maplibregl-canvas').and(page.locator(':focus')).waitFor()

    await choose(120, 60)
    await assertSound(page)
  })

  test('has every text that its scripts name', async () => {
    const files = globSync('dist/spectator/assets/*.js', { cwd: ROOT }).map((file) =>
      readFileSync(join(ROOT, file), 'utf8'),
    )
    const texts = globSync('web/locales/en/*.json', { cwd: ROOT })
      .filter((file) => !basename(file).startsWith('reader.'))
      .flatMap((file) => Object.keys(JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as object))
    const keys = new Set(texts.map((key) => key.replace(/_(one|other)$/, '')))
    const named = files
      .flatMap((code) => [...code.matchAll(/[(?:,]`([\w.]+)`/g)].map(([, key]) => key))
      .filter((key) => keys.has(key))
    const isThere = (key: string) => files.some((code) => code.includes(`"${key}":`) || code.includes(`"${key}_one":`))

    assert.ok(named.length > 100, `${named.length} texts`)
    assert.deepEqual(
      named.filter((key) => !isThere(key)),
      [],
    )
  })

  test('keeps the list where the map cannot be loaded', async (t) => {
    const page = await dashboard.visit(t, { ...WITHOUT_WORKER })
    await page.route(MAP_LIBRARY, (route) => route.abort())

    await page.goto(address)
    await page.getByText('The map could not be loaded. Everything else works.').waitFor()

    await page.getByRole('button', { name: /^Runner 1 / }).waitFor()
  })

  test('sees the text and the picture move until the libraries are there', async (t) => {
    const page = await dashboard.visit(t, { ...WITHOUT_WORKER, isFirst: true })
    const { release } = await holdBack(page, /\/assets\/app-[\w-]+\.js$/)
    await page.goto(address)
    await page.getByRole('listitem').getByText('Runner 99').waitFor()
    const drawn = async () =>
      await page.locator('#first .picture path').evaluateAll((all) => all.map((one) => one.outerHTML))
    const before = await drawn()
    await page.getByRole('link', { name: 'Reload' }).focus()

    const made = await service.request('POST', '/tracks', { device_track_id: 'late', title: 'Latecomer' })
    const { id } = (await made.json()) as { id: string }
    await service.request('POST', `/tracks/${id}/points`, { points: walkPoints(1, { startMs: Date.now(), skip: 60 }) })

    await page.getByRole('listitem').getByText('Latecomer').waitFor()
    assert.notDeepEqual(await drawn(), before)
    assert.equal(await page.getByRole('link', { name: 'Reload' }).evaluate((link) => link.matches(':focus')), true)
    await assertSound(page)
    release()
  })

  test('has the styles of all components of its scripts, and no others', () => {
    const codeOf = (kind: string) =>
      globSync(`dist/spectator/assets/*.${kind}`, { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'))
    const classesIn = (codes: readonly string[]) => codes.flatMap((code) => code.match(/\bm_[0-9a-f]{6,8}\b/g) ?? [])
    const named = new Set(classesIn(codeOf('js')))
    const styled = new Set(classesIn(codeOf('css')))
    const known = new Set(classesIn([readFileSync(join(ROOT, 'node_modules/@mantine/core/styles.css'), 'utf8')]))

    assert.deepEqual(
      [...named].filter((name) => known.has(name) && !styled.has(name)),
      [],
    )
    assert.deepEqual(
      [...styled].filter((name) => known.has(name) && !named.has(name)),
      [],
    )
  })
})
