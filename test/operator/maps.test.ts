import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MapChoice, MapFile, MapSettings } from '../../src/maps/schemas.ts'
import { eventually } from '../support/becomes.ts'
import { databases } from '../support/databases.ts'
import { describeOn } from '../support/describe-service.ts'
import { makeElevationMap } from '../support/make-map-file.ts'
import { readProblem, wrongPlaces } from '../support/problem.ts'
import { answered } from './support/answered.ts'
import { choose, mapSettings, uploadMap, VECTOR } from './support/map-requests.ts'
import { startOperator } from './support/start-operator.ts'

const NOTHING: MapChoice = {
  kind: 'default',
  file_id: null,
  elevation_file_id: null,
  elevation_error_m: null,
  attribution: null,
  style_url: null,
  dark_style_url: null,
  origins: [],
}
const STYLE = 'https://tiles.example.org/styles/light?key=1'

describeOn(databases, 'the map', (database) => {
  test('shows outlines until an operator chooses', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()

    const { choice, in_use, files } = await mapSettings(browser)

    assert.deepEqual([choice, files], [NOTHING, []])
    assert.deepEqual([in_use.kind, in_use.is_chosen], ['outlines', false])
  })

  test('is a style that pages on all instances may load from at once', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const other = database.name === 'SQLite' ? operator : await operator.startAnother()
    await (await fetch(`${other.url}/dashboard/`)).text()

    await answered(200, choose(browser, { kind: 'style', style_url: STYLE, origins: ['https://fonts.example.org'] }))

    const policy = await eventually('another instance has learned of the map by a notice', async () => {
      const { headers } = await fetch(`${other.url}/dashboard/share`)
      const found = headers.get('content-security-policy')!
      return found.includes('tiles.example.org') ? found : undefined
    })
    assert.match(policy, /connect-src 'self' https:\/\/tiles\.example\.org https:\/\/fonts\.example\.org;/)
    assert.match(policy, /img-src 'self' data: blob: https:\/\/tiles\.example\.org https:\/\/fonts\.example\.org;/)
  })

  test('cannot lose the file that it uses', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const file = await answered<MapFile>(201, uploadMap(operator.url, browser, VECTOR))
    await answered(200, choose(browser, { kind: 'file', file_id: file.id }))

    await readProblem(await browser.request('DELETE', `/operator/map/files/${file.id}`), 409, 'CONFLICT')
    await answered(200, choose(browser, { kind: 'outlines' }))
    const deleted = await browser.request('DELETE', `/operator/map/files/${file.id}`)

    assert.equal(deleted.status, 204)
    assert.deepEqual((await mapSettings(browser)).files, [])
    await readProblem(await fetch(`${operator.url}/maps/${file.id}.pmtiles`), 404, 'NOT_FOUND')
    await readProblem(await browser.request('DELETE', `/operator/map/files/${file.id}`), 404, 'NOT_FOUND')
  })
})

const [database] = databases

describe('the choice of a map', () => {
  test('names the field that is wrong', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const vector = await answered<MapFile>(201, uploadMap(operator.url, browser, VECTOR))
    const wrong: [Partial<MapChoice>, string[]][] = [
      [{ kind: 'file' }, ['file_id']],
      [{ kind: 'file', file_id: 'a'.repeat(64) }, ['file_id']],
      [{ kind: 'file', file_id: 'folder:../../secret.pmtiles' }, ['file_id']],
      [{ kind: 'file', file_id: vector.id, elevation_file_id: vector.id }, ['elevation_file_id']],
      [{ kind: 'style' }, ['style_url']],
      [{ kind: 'style', style_url: 'http://tiles.example.org/' }, ['style_url']],
      [{ kind: 'style', style_url: 'https://me:secret@tiles.example.org/' }, ['style_url']],
      [{ kind: 'style', style_url: 'javascript:alert(1)' }, ['style_url']],
      [{ kind: 'style', style_url: STYLE, dark_style_url: 'x' }, ['dark_style_url']],
      [{ kind: 'style', style_url: STYLE, origins: ["https://a.example; script-src 'unsafe-inline'"] }, ['origins/0']],
      [{ kind: 'style', style_url: STYLE, origins: ['*'] }, ['origins/0']],
      [{ kind: 'style', style_url: STYLE, origins: ['https://*.example.org'] }, ['origins/0']],
      [{ kind: 'style', style_url: STYLE, origins: ['http://tiles.example.org'] }, ['origins/0']],
    ]

    for (const [choice, fields] of wrong)
      assert.deepEqual(await wrongPlaces(await choose(browser, choice)), fields, JSON.stringify(choice))

    assert.deepEqual((await mapSettings(browser)).choice, NOTHING)
  })

  test('may be a style on this machine, without https', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()

    await answered(200, choose(browser, { kind: 'style', style_url: 'http://localhost:3000/style.json' }))

    const { headers } = await fetch(`${operator.url}/dashboard/`)
    assert.match(headers.get('content-security-policy')!, /connect-src 'self' http:\/\/localhost:3000;/)
  })

  test('replaces MAP_STYLE_URL, which is the default', async (t) => {
    const operator = await startOperator(t, database, { settings: { MAP_STYLE_URL: STYLE } })
    const browser = await operator.signedIn()
    const before = await mapSettings(browser)

    const after = await answered<MapSettings>(200, choose(browser, { kind: 'outlines' }))
    const back = await answered<MapSettings>(200, choose(browser, {}))

    assert.deepEqual([before.in_use.kind, before.in_use.is_chosen, before.default_style_url], ['style', true, STYLE])
    assert.equal(after.in_use.kind, 'outlines')
    assert.equal(back.in_use.style_url, STYLE)
  })

  test('adds a file with elevations, beside the style of a provider as well', async (t) => {
    const operator = await startOperator(t, database)
    const browser = await operator.signedIn()
    const vector = await answered<MapFile>(201, uploadMap(operator.url, browser, VECTOR))
    const hills = await answered<MapFile>(201, uploadMap(operator.url, browser, await makeElevationMap({ maxZoom: 3 })))

    const choice = { kind: 'file', file_id: vector.id, elevation_file_id: hills.id, attribution: ' Survey ' } as const
    const { in_use, files } = await answered<MapSettings>(200, choose(browser, choice))
    const beside = { kind: 'style', style_url: STYLE, elevation_file_id: hills.id } as const
    const { in_use: styled } = await answered<MapSettings>(200, choose(browser, beside))

    assert.deepEqual(
      [in_use.elevation!.url, in_use.elevation!.elevation_encoding],
      [`/maps/${hills.id}.pmtiles`, 'terrarium'],
    )
    assert.equal(in_use.file!.attribution, 'Survey')
    assert.deepEqual([styled.style_url, styled.elevation], [STYLE, in_use.elevation])
    assert.deepEqual(
      files.map((file) => file.is_in_use),
      [true, true],
    )
  })
})

describe('the preview of a style', () => {
  test('may load from anywhere, and be shown by the dashboard alone', async (t) => {
    const operator = await startOperator(t, database)

    const { headers } = await fetch(`${operator.url}/dashboard/map-preview`)

    const policy = headers.get('content-security-policy')!
    assert.match(policy, /connect-src 'self' https:/)
    assert.match(policy, /script-src 'self';/)
    assert.match(policy, /frame-ancestors 'self'$/)
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN')
  })
})
