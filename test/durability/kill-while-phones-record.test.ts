import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { sendAsPhone } from '../support/phone-requests.ts'
import { openInstallation, type RunningInstallation, TRACKS_ALONE } from './installation.ts'
import { roundCount, seededRandom } from './seeded-random.ts'

const DEVICES = 15
const FIRST_MS = Date.parse('2026-05-03T06:15:00Z')
const STEP_MS = 10_000

type Device = { id: string; sent: number }
type ListedTrack = { user_id: string; points_count: number }

/** Sends points as the app does: the same again until it is acknowledged, and only then the next. */
async function record({ url, token }: RunningInstallation, device: Device, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const timestamp = FIRST_MS + device.sent * STEP_MS
    const query = `?id=${device.id}&lat=45.9&lon=6.8&timestamp=${timestamp}`
    try {
      const [first, ...copies] = await Promise.all(
        // An app that gives up early sends again while the server still works on the first request.
        [1, 2].map(() => sendAsPhone(url, token, { app: 'osmand', method: 'GET', query })),
      )
      if ([first, ...copies].some(({ ok }) => ok)) device.sent++
    } catch {
      return
    }
  }
}

function acknowledgedBy(devices: Device[]): number {
  return devices.reduce((sum, { sent }) => sum + sent, 0)
}

for (const database of databases) {
  describe(`a process killed while common apps record, on ${database.name}`, () => {
    test('opens one track for each device, and loses and doubles no point', async (t) => {
      const random = seededRandom(t)
      const installation = await openInstallation(t, database.prepare, TRACKS_ALONE)
      let server = await installation.start()
      const devices: Device[] = []

      for (let round = 0; round < roundCount(1); round++) {
        // New devices in each round, so that the kill meets tracks that are being opened.
        devices.push(...Array.from({ length: DEVICES }, (_, i) => ({ id: `phone-${round}-${i}`, sent: 0 })))
        let isOver = false
        const running = server
        const load = devices.map((device) => record(running, device, () => isOver))
        const enough = acknowledgedBy(devices) + random.between(1, 4 * DEVICES)
        while (acknowledgedBy(devices) < enough) await wait(5)
        await server.stop('SIGKILL')
        isOver = true
        await Promise.all(load)
        server = await installation.start()
      }
      const acknowledged = acknowledgedBy(devices)
      const unfinished = server
      for (const device of devices) {
        const end = device.sent + 1
        await record(unfinished, device, () => device.sent >= end)
      }

      const answer = await fetch(`${server.url}/tracks?limit=1000`, { headers: { 'X-API-Key': server.token } })
      const { tracks } = (await answer.json()) as { tracks: ListedTrack[] }
      const counts = tracks.map(({ user_id, points_count }) => [user_id, points_count]).sort()
      t.diagnostic(`${devices.length} devices, ${acknowledged} points acknowledged before the last start`)
      assert.ok(acknowledged > 0)
      assert.deepEqual(counts, devices.map(({ id, sent }) => [id, sent]).sort())
    })
  })
}
