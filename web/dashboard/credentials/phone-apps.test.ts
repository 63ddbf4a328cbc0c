import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isForPhones } from '../../../src/tracks/model/event-rules.ts'
import type { AppToken } from '../generated/types.gen.ts'
import { phoneApps, phoneTokens } from './phone-apps.ts'

const BASE = 'https://tracks.example.org'
const TOKEN = 'trk_Zm9v-YmFy_'

function appsByName(isForOne = false) {
  return new Map(phoneApps(BASE, TOKEN, isForOne).map((app) => [app.name, app]))
}

describe('phoneApps', () => {
  test('gives each app an address with the token', () => {
    for (const { name, address } of phoneApps(BASE, TOKEN, true)) {
      assert.ok(address.startsWith(`${BASE}/in/${TOKEN}/${name}`), address)
    }
  })

  test('writes links that the apps read as settings', () => {
    const apps = appsByName()

    const traccar = new URL(apps.get('traccar')!.setupLink!)
    assert.equal(traccar.protocol, 'org.traccar.client:')
    assert.equal(traccar.searchParams.get('url'), `${BASE}/in/${TOKEN}/traccar`)
    assert.equal(traccar.searchParams.get('interval'), '5')
    const overland = new URL(apps.get('overland')!.setupLink!)
    assert.equal(`${overland.protocol}//${overland.host}`, 'overland://setup')
    assert.equal(overland.searchParams.get('url'), `${BASE}/in/${TOKEN}/overland`)
    const inline = new URL(apps.get('owntracks')!.setupLink!).searchParams.get('inline')!
    const { _type, mode, url } = JSON.parse(atob(inline))
    assert.deepEqual([_type, mode, url], ['configuration', 3, `${BASE}/in/${TOKEN}/owntracks`])
    assert.equal(apps.get('gpslogger')!.setupLink, `gpslogger://properties/${BASE}/in/${TOKEN}/gpslogger.properties`)
  })

  test('asks for a name in the address of OsmAnd only if several people use the token', () => {
    assert.match(appsByName(false).get('osmand')!.address, /\?id=NAME&lat=\{0\}/)
    assert.match(appsByName(true).get('osmand')!.address, /\?lat=\{0\}/)
  })
})

type Permissions = AppToken['permissions']
const token = (user_id: string | null, ...permissions: Permissions) => ({ user_id, permissions }) as AppToken

describe('phoneTokens', () => {
  test('leaves out what reads the tracks of others, deletes, or does not record', () => {
    assert.equal(isForPhones(token(null, 'record', 'read')), false)
    assert.equal(isForPhones(token(null, 'record', 'manage')), false)
    assert.equal(isForPhones(token('anna', 'record', 'manage')), false)
    assert.equal(isForPhones(token('anna', 'read')), false)
    assert.equal(isForPhones(token(null, 'record')), true)
    assert.equal(isForPhones(token('anna', 'record', 'read')), true)
  })

  test('puts those of one person first, and of those the ones that only record', () => {
    const [all, both, only] = [token(null, 'record'), token('anna', 'record', 'read'), token('ben', 'record')]

    assert.deepEqual(phoneTokens([all, token(null, 'record', 'read'), both, only]), [only, both, all])
  })
})
