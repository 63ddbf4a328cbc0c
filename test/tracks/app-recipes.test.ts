import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'

// Runs the code of the guide on what the libraries deliver. The shapes are those of the types and the native sources of
// react-native-background-geolocation 5.7.0, expo-location 57.0.20 and @capacitor/geolocation 8.2.2.

const GUIDE = readFileSync(new URL('../../docs/app-developers.md', import.meta.url), 'utf8')

type Mapping = (location: object) => object
type SdkConfig = {
  http: { url: string; headers: Record<string, string>; rootProperty: string; batchSync: boolean; maxBatchSize: number }
  persistence: { locationTemplate: string }
}

/** Runs the example under a heading of the guide, and returns what it defines. */
function example<Result>(heading: string, name: string, variables: object = {}): Result {
  const [, section] = GUIDE.split(`### ${heading}\n`)
  const [, code] = section.match(/```ts\n([\s\S]*?)```/) ?? assert.fail(`${heading} has no example`)
  return runInNewContext(`${stripTypeScriptTypes(code)}\n${name}`, { ...variables, Date }) as Result
}

/**
 * Records of the SDK as it stores them: a phone in motion, an emulator that knows little, and a record of a geofence.
 */
const RECORDS = [
  {
    event: '',
    is_moving: true,
    uuid: '70727f8b-df7d-48d0-acbd-15f10cacdf33',
    timestamp: '2026-05-03T06:15:00.123Z',
    age: 120,
    odometer: 214.7,
    coords: {
      latitude: 45.519199,
      longitude: -73.617054,
      accuracy: 4.1,
      speed: 2.91,
      speed_accuracy: 0.4,
      heading: 127.3,
      heading_accuracy: 9.2,
      altitude: 41.6,
      ellipsoidal_altitude: 9.4,
      altitude_accuracy: 2.2,
    },
    activity: { type: 'running', confidence: 100 },
    battery: { level: 0.87, is_charging: false },
    extras: { lap: 2 },
  },
  {
    event: 'motionchange',
    is_moving: false,
    uuid: 'e6f1c0de-3b13-4f9a-9c1e-0d7a0c1b2a33',
    timestamp: '2026-05-03T06:15:01.123Z',
    age: 15,
    odometer: 214.7,
    coords: {
      latitude: 45.5192,
      longitude: -73.61706,
      accuracy: 35,
      speed: -1,
      speed_accuracy: -1,
      heading: -1,
      heading_accuracy: -1,
      altitude: 41.6,
      ellipsoidal_altitude: 9.4,
      altitude_accuracy: -1,
    },
    activity: { type: 'still', confidence: 100 },
    battery: { level: -1, is_charging: false },
  },
]

/** Fills a template as the SDK does: tags are paths into the coordinates or the record, and nothing is quoted. */
function render(template: string, record: (typeof RECORDS)[number]): string {
  return template.replace(/<%=\s*([\w.]+)\s*%>/g, (_, tag: string) => {
    const path = tag in record.coords ? ['coords', tag] : tag.split('.')
    return String(path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], record))
  })
}

describeTracks('The recipes of the guide', { on: oneDatabase }, async ({ service, tracks }) => {
  test('Background Geolocation: a batch is stored as the SDK sends it, records it cannot repair are left out', async () => {
    const id = await tracks.create()
    const { http, persistence } = example<SdkConfig>('Background Geolocation (Transistor Software)', 'background', {
      baseUrl: service.url,
      trackId: id,
      token: service.token,
    })
    const sent = RECORDS.map((record) => ({
      ...JSON.parse(render(persistence.locationTemplate, record)),
      ...record.extras,
    }))
    const geofence = { ...RECORDS[0], geofence: { identifier: 'start', action: 'EXIT' } }

    const response = await fetch(http.url, {
      method: 'POST',
      headers: { ...http.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ [http.rootProperty]: [...sent, geofence], device_id: 'abc123' }),
    })

    assert.ok(http.batchSync && http.maxBatchSize < 10_000)
    const receipt = (await response.json()) as { received: number; stored: number; rejected: { index: number }[] }
    // The SDK deletes its records after these.
    assert.ok([200, 201, 204].includes(response.status))
    assert.deepEqual([receipt.received, receipt.stored, receipt.rejected.map(({ index }) => index)], [3, 2, [2]])
    assert.deepEqual((await tracks.points(id)).points, [
      {
        latitude: 45.519199,
        longitude: -73.617054,
        timestamp: '2026-05-03T06:15:00.123Z',
        altitude: 41.6,
        accuracy: 4.1,
        speed_mps: 2.91,
        heading: 127.3,
        battery: 0.87,
      },
      {
        latitude: 45.5192,
        longitude: -73.61706,
        timestamp: '2026-05-03T06:15:01.123Z',
        altitude: 41.6,
        accuracy: 35,
      },
    ])
  })

  test('Background Geolocation: without batches the request is refused, so that the SDK keeps its records', async () => {
    const id = await tracks.create()

    const response = await service.request(
      'POST',
      `/tracks/${id}/points`,
      { points: { latitude: 1, longitude: 2, timestamp: '2026-05-03T06:15:00Z' } },
      { Prefer: 'handling=lenient' },
    )

    assert.equal(response.status, 400)
  })

  test('expo-location: locations of iOS and Android become points', async () => {
    const id = await tracks.create()
    const pointOf = example<Mapping>('expo-location', 'pointOfExpo')
    const ios = {
      coords: {
        latitude: 45.9237,
        longitude: 6.8694,
        altitude: 1035.25,
        accuracy: 4.7,
        altitudeAccuracy: 3,
        heading: -1,
        speed: -1,
      },
      timestamp: 1777788900123.456,
    }
    const android = {
      coords: { ...ios.coords, heading: 92.5, speed: 2.75, altitudeAccuracy: null },
      timestamp: 1777788901000,
      mocked: false,
    }

    const response = await service.request(
      'POST',
      `/tracks/${id}/points`,
      { points: [ios, android].map(pointOf) },
      { Prefer: 'handling=lenient' },
    )

    assert.equal(((await response.json()) as { stored: number }).stored, 2)
    const place = { latitude: 45.9237, longitude: 6.8694, altitude: 1035.25, accuracy: 4.7 }
    assert.deepEqual((await tracks.points(id)).points, [
      { ...place, timestamp: '2026-05-03T06:15:00.123Z' },
      { ...place, timestamp: '2026-05-03T06:15:01.000Z', speed_mps: 2.75, heading: 92.5 },
    ])
  })

  test('Capacitor Geolocation: positions of a browser, of iOS and of older versions become points', async () => {
    const id = await tracks.create()
    const pointOf = example<Mapping>('Capacitor Geolocation', 'pointOfCapacitor')
    const place = { latitude: 45.9237, longitude: 6.8694, accuracy: 4.7 }
    const browser = {
      coords: { ...place, altitude: null, altitudeAccuracy: null, speed: null, heading: null },
      timestamp: 1777788900000,
    }
    const ios = {
      coords: {
        ...place,
        altitude: 1035.25,
        altitudeAccuracy: 3,
        speed: -1,
        heading: 12,
        magneticHeading: 10,
        trueHeading: 12,
        headingAccuracy: 5,
        course: 92.5,
      },
      timestamp: 1777788901000,
    }
    const older = {
      coords: { ...place, altitude: 1035, altitudeAccuracy: 3, speed: 1, heading: 91 },
      timestamp: 1777788902000,
    }

    const response = await service.request(
      'POST',
      `/tracks/${id}/points`,
      { points: [browser, ios, older].map(pointOf) },
      { Prefer: 'handling=lenient' },
    )

    assert.equal(((await response.json()) as { stored: number }).stored, 3)
    assert.deepEqual((await tracks.points(id)).points, [
      { ...place, timestamp: '2026-05-03T06:15:00.000Z' },
      { ...place, timestamp: '2026-05-03T06:15:01.000Z', altitude: 1035.25, heading: 92.5 },
      { ...place, timestamp: '2026-05-03T06:15:02.000Z', altitude: 1035, speed_mps: 1, heading: 91 },
    ])
  })
})
