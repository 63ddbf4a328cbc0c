import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { MapFile } from '../../src/maps/schemas.ts'
import { makeElevationMap, makeRasterMap, makeVectorMap } from '../support/make-map-file.ts'
import { seesColour, seesOtherThan } from '../support/map-colours.ts'
import { startMapProvider } from '../support/map-provider.ts'
import { openDashboard } from '../support/open-dashboard.ts'
import { assertSound, WITH_MAP } from '../support/visit.ts'
import { walkPoints } from './recorded-walk.ts'

const dashboard = await openDashboard({ after }, { signedIn: true })
const { service } = dashboard
const SETTINGS = dashboard.at('/settings/map')
/** Each opens a page on which a test looks at a map. A browser's first map takes twice as long as its next one. */
const operator = await dashboard.visitSignedIn({ after }, WITH_MAP)
const english = await dashboard.visit({ after }, WITH_MAP)
const french = await dashboard.visit({ after }, { locale: 'fr-FR', colorScheme: 'dark', ...WITH_MAP })

const OUTLINES = {
  kind: 'outlines',
  file_id: null,
  elevation_file_id: null,
  elevation_error_m: null,
  attribution: null,
  style_url: null,
  dark_style_url: null,
  origins: [],
}
/** Colours of the lake in the light and dark style of Protomaps, and of the land of a raster map. */
const LIGHT_WATER = [128, 222, 234]
const DARK_WATER = [49, 53, 63]
const RASTER = [192, 48, 96]
const OUTLINES_LAND = [247, 246, 242]

/** Shown by the styles of the stand-in provider. */
const PROVIDER_BLUE = [0, 0, 255]

/** Notes the letters that a map draws with the browser's fonts, one by one. */
const NOTE_LETTERS = `
  globalThis.letters = new Set()
  for (const { prototype } of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
    const { fillText } = prototype
    prototype.fillText = function (text, ...rest) {
      letters.add(text)
      fillText.call(this, text, ...rest)
    }
  }`

for (const page of [operator, english, french]) await page.addInitScript(NOTE_LETTERS)

beforeEach(async () => {
  await choose(OUTLINES)
  for (const page of [operator, english, french]) {
    await page.goto(`${service.url}/healthz`)
    await page.evaluate('localStorage.clear()')
  }
})

describe('Settings, Map', () => {
  test('starts with outlines, and tells operators once that there is more', async (t) => {
    await service.server.operator!.deps.database.db.deleteFrom('map_choice').execute()
    await service.server.operator!.deps.chosenMap.announceChange()
    const page = await dashboard.visitSignedIn(t)
    await page.goto(dashboard.at(`/events/${service.eventId}`))

    await page.getByText('Maps show outlines only.').waitFor()
    await assertSound(page)
    await page.getByRole('link', { name: 'Choose a map' }).click()
    await page.getByRole('heading', { name: 'Map', level: 1 }).waitFor()
    assert.ok(await page.getByRole('radio', { name: 'Outlines' }).isChecked())
    await page.goBack()
    await page.getByRole('button', { name: 'Hide this notice' }).click()
    await page.reload()

    await page.getByRole('heading', { level: 1 }).waitFor()
    assert.equal(await page.getByText('Maps show outlines only.').count(), 0)
  })

  test('takes a file, says what is wrong with one, previews it in the reader’s language and shows it on maps', async () => {
    await upload(makeVectorMap({ maxZoom: 3 }), 'old.pmtiles')
    const page = operator
    await page.goto(SETTINGS)
    await page.getByRole('radio', { name: 'A map file' }).check()

    await page.getByRole('button', { name: 'Delete old.pmtiles' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete file' }).click()
    await page.getByText('Deleted old.pmtiles').waitFor()
    await page.getByRole('radio', { name: 'old.pmtiles' }).waitFor({ state: 'detached' })
    await uploadIn(page, 'geneva.pmtiles', makeVectorMap())
    await page.getByText('vector · zoom 0 to 12').waitFor()
    await seesColour(page, LIGHT_WATER)
    await assertSound(page)
    while (!(await page.evaluate(`letters.has('G')`))) await page.waitForTimeout(100)
    assert.equal(await page.evaluate(`letters.has('è')`), false)
    await page.getByRole('button', { name: 'Language' }).click()
    await page
      .getByRole('menuitemradio', { name: 'Français' })
      .or(page.getByRole('menuitem', { name: 'Français' }))
      .click()
    while (!(await page.evaluate(`letters.has('è')`))) await page.waitForTimeout(100)
    await uploadIn(page, 'photo.pmtiles', Buffer.from('JFIF'.repeat(100)), 'Envoyer un fichier')
    await page.getByText('Ce n’est pas un fichier PMTiles.').waitFor()
    await assertSound(page)
    await uploadIn(page, 'cut.pmtiles', makeVectorMap().subarray(0, 5000), 'Envoyer un fichier')
    await page.getByText('Ce fichier est incomplet.').waitFor()
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText('Enregistré. Les pages montreront la nouvelle carte').waitFor()

    await page.goto(dashboard.at(`/tracks/${await sync()}`))
    await seesColour(page, LIGHT_WATER)
    await page.getByRole('link', { name: '© OpenStreetMap' }).waitFor()
    await assertSound(page)
    await page.route('**/maps/*.pmtiles', (route) => route.abort('internetdisconnected'))
    await page.reload()
    await page.getByText('La carte ne peut pas être chargée').waitFor()
    await page.unroute('**/maps/*.pmtiles')
    await page.evaluate(`void dispatchEvent(new Event('online'))`)
    await seesColour(page, LIGHT_WATER)
    await page.getByText('La carte ne peut pas être chargée').waitFor({ state: 'detached' })
  })

  test('shows images, also beyond their highest zoom level, names their attribution, and shades hills', async () => {
    const coarse = await upload(await makeRasterMap({ maxZoom: 6 }), 'survey.pmtiles')
    await upload(await makeElevationMap(), 'hills.pmtiles')
    const page = operator
    await page.goto(SETTINGS)

    await page.getByRole('radio', { name: 'A map file' }).check()
    await page.getByRole('radio', { name: coarse.name }).check()
    await seesColour(page, RASTER)
    await page.getByRole('textbox', { name: 'Attribution' }).fill('City survey <2026>')
    await page.getByText('City survey <2026>', { exact: false }).last().waitFor()
    await page
      .getByRole('textbox', { name: 'Terrain' })
      .or(page.getByRole('combobox', { name: 'Terrain' }))
      .click()
    await page.getByRole('option', { name: 'hills.pmtiles' }).click()

    await seesOtherThan(page, RASTER)
  })

  test('refuses the address of something else, previews a provider’s style, and lets pages load from its hosts', async (t) => {
    await sync()
    const provider = await startMapProvider(t)
    const page = operator
    await page.goto(SETTINGS)
    await page.getByRole('radio', { name: 'The style of a provider' }).check()
    const address = page.getByRole('textbox', { name: 'Address of the style', exact: false }).first()
    const save = page.getByRole('button', { name: 'Save' })

    await save.click()
    await page.getByText('Enter the https address of a style.').waitFor()
    await address.fill(`${provider.url}/nothing.json`)
    await page.getByText('The style cannot be loaded.').waitFor()
    await save.click()
    await page.getByText('Wait until the preview has loaded the style.').waitFor()
    await address.fill(`${provider.url}/style.json`)
    await page.getByText('Browsers will load the map from:').waitFor()
    await page.getByRole('listitem').getByText(provider.tilesUrl).waitFor()
    await page.getByText('The provider learns their IP addresses').waitFor()
    await seesColour(page, PROVIDER_BLUE)
    await assertSound(page)
    const reloaded = page.waitForEvent('load')
    await save.click()
    await reloaded

    await english.goto(await dashboard.share())
    await seesColour(english, PROVIDER_BLUE)
    await assertSound(english)
    await english.route('**/*.png', (route) => route.abort('internetdisconnected'))
    await english.evaluate(`void dispatchEvent(new Event('online'))`)
    await english.getByText('The map cannot be loaded right now; these are outlines.').waitFor()
    await seesColour(english, OUTLINES_LAND)
    await english.unroute('**/*.png')
  })
})

describe('the terrain on a map', () => {
  for (const [people, name, unit] of [
    ['operators', 'Terrain', 'ft'],
    ['spectators', 'Relief', 'm'],
  ] as const) {
    test(`is shown to ${people} by a button, with contour lines whose code comes only then`, async (t) => {
      const provider = await startMapProvider(t)
      const { id } = await upload(await makeElevationMap(), 'ridges.pmtiles')
      const style = { kind: 'style', style_url: `${provider.url}/style.json`, origins: [provider.tilesUrl] }
      await choose({ ...style, elevation_file_id: id })
      const trackId = await sync()
      const page = people === 'operators' ? operator : french
      if (unit === 'ft') await page.evaluate(`localStorage.setItem('trackpress-units', 'imperial')`)
      let hasContours = false
      page.on('request', (request) => {
        hasContours ||= /\/contours-[^/]+\.js$/.test(request.url())
      })
      await page.goto(people === 'operators' ? dashboard.at(`/tracks/${trackId}`) : await dashboard.share())
      const button = page.getByRole('button', { name, exact: true })
      await button.and(page.locator('[aria-pressed=false]')).waitFor()
      if (people === 'operators') await seesColour(page, PROVIDER_BLUE)
      assert.equal(hasContours, false)

      await button.focus()
      await page.keyboard.press('Space')

      if (people === 'operators') await seesOtherThan(page, PROVIDER_BLUE)
      while (!hasContours) await page.waitForTimeout(100)
      // Heights of lines, in the reader's unit.
      while (!(await page.evaluate(`${JSON.stringify([...unit])}.every((letter) => letters.has(letter))`)))
        await page.waitForTimeout(100)
      await page.locator(`.maplibregl-ctrl-scale:text-matches("${unit === 'ft' ? '(ft|mi)' : 'm'}$")`).waitFor()
      await assertSound(page)
      await page.reload({ waitUntil: 'commit' })
      await button.and(page.locator('[aria-pressed=true]')).waitFor()
    })
  }
})

test('a map from a file follows theme and language of spectators, who choose a runner while its style loads', async () => {
  const { id } = await upload(makeVectorMap(), 'geneva.pmtiles')
  await choose({ ...OUTLINES, kind: 'file', file_id: id })
  await sync()
  const share = await dashboard.share()

  await french.goto(share)
  await seesColour(french, DARK_WATER)
  // The lake is called Léman in French, and Lake Geneva in English.
  while (!(await french.evaluate(`letters.has('é')`))) await french.waitForTimeout(100)
  await assertSound(french)
  await english.goto(share)
  await seesColour(english, LIGHT_WATER)
  while (!(await english.evaluate(`letters.has('k')`))) await english.waitForTimeout(100)
  assert.equal(await english.evaluate(`letters.has('é')`), false)

  const runner = english.locator('.live-entries button').first()
  await runner.waitFor()
  await english.evaluate(CHOOSE_WHILE_STYLE_LOADS)
  await runner.waitFor()
  await seesColour(english, LIGHT_WATER)
  await assertSound(english)
})

/**
 * Chooses a runner, and nobody again, while the map is drawn anew. A style loads within a frame, which this makes long.
 */
const CHOOSE_WHILE_STYLE_LOADS = `(async () => {
  const frame = requestAnimationFrame
  globalThis.requestAnimationFrame = (callback) => setTimeout(frame, 300, callback)
  dispatchEvent(new Event('online'))
  for (let i = 0; i < 40; i++) {
    const close = document.querySelector('.runner-card button')
    void (close ?? document.querySelector('.live-entries button')).click()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  globalThis.requestAnimationFrame = frame
})()`

async function choose(choice: object): Promise<void> {
  await service.answer(200, 'PUT', '/operator/map', choice)
}

async function upload(bytes: Buffer, name: string): Promise<MapFile> {
  const path = `/operator/map/files?name=${name}`
  const response = await service.operator.send('POST', path, bytes, 'application/vnd.pmtiles')
  assert.ok(response.ok, path)
  return (await response.json()) as MapFile
}

async function uploadIn(page: Page, name: string, buffer: Buffer, button = 'Upload a file'): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer })
}

let tracks = 0

/** Stores a walk on the lake, in the middle of the maps that are made here. */
async function sync(): Promise<string> {
  const number = ++tracks
  const points = walkPoints(20, { startMs: Date.now() - 600_000 }).map((point, i) => ({
    ...point,
    latitude: 46.22 + i * 0.002,
    longitude: 6.18 + i * 0.004,
  }))
  const track = { device_track_id: `boat ${number}`, title: `Boat ${number}` }
  const answer = await service.request('POST', '/sync', { track, points })
  return ((await answer.json()) as { track_id: string }).track_id
}
