import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Location } from '../../clients/typescript/examples/expo/recording.ts'
import { databases } from '../support/databases.ts'
import { startService } from '../support/start-service.ts'
import { expoDatabase } from './phone-databases.ts'
import './find-client.ts'

const NODE_EXAMPLE = fileURLToPath(new URL('../../clients/typescript/examples/node/record.ts', import.meta.url))
const FIND_CLIENT = new URL('find-client.ts', import.meta.url).href

const folder = mkdtempSync(join(tmpdir(), 'examples-'))
after(() => rmSync(folder, { recursive: true, force: true }))

describe('The examples of the client', async () => {
  const service = await startService({ after }, databases[0], { services: ['tracks'] })

  async function recorded(deviceTrackId: string) {
    const path = `/tracks?device_track_id=${deviceTrackId}`
    const { tracks } = await service.answer<{ tracks: { id: string; state: string }[] }>(200, 'GET', path)
    const { points } = await service.answer<{ points: { timestamp: string }[] }>(
      200,
      'GET',
      `/tracks/${tracks[0].id}/points`,
    )
    return { tracks, points }
  }

  test('Node.js: a program that is killed while it records sends everything when it is started again', async () => {
    const lines = Array.from({ length: 1000 }, (_, i) => ({
      latitude: 45 + i / 10_000,
      longitude: 6.87,
      timestamp: Date.UTC(2026, 4, 3, 6) + i * 1000,
    }))
    let stored = 0

    for (const killedAfter of [150, 400, undefined]) {
      const options = ['--server', service.url, '--token', service.token, '--track', 'bus-7']
      const args = ['--import', FIND_CLIENT, NODE_EXAMPLE, ...options, '--database', join(folder, 'queue.db')]
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
      child.stdin.on('error', () => {})
      for (const line of lines.slice(stored)) child.stdin.write(`${JSON.stringify(line)}\n`)
      if (killedAfter === undefined) child.stdin.end()
      for await (const count of createInterface({ input: child.stdout })) {
        stored += Number(count)
        if (killedAfter !== undefined && stored >= killedAfter) child.kill('SIGKILL')
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      if (killedAfter === undefined) assert.equal(child.exitCode, 0)
    }

    const { tracks, points } = await recorded('bus-7')
    assert.equal(tracks[0].state, 'stopped')
    assert.deepEqual(
      points.map(({ timestamp }) => Date.parse(timestamp)),
      lines.map(({ timestamp }) => timestamp),
    )
  })

  test('Expo: the queue records in the background, offline and through a restart', async () => {
    const { openRecording } = await import('../../clients/typescript/examples/expo/recording.ts')
    const saved = new Map<string, string>()
    const settings = {
      getItem: async (key: string) => saved.get(key) ?? null,
      setItem: async (key: string, value: string) => void saved.set(key, value),
      removeItem: async (key: string) => saved.delete(key),
    }
    let isOnline = false
    const phoneFetch: typeof fetch = async (...request) => {
      if (!isOnline) throw new TypeError('Network request failed')
      return await fetch(...request)
    }
    const opened: DatabaseSync[] = []
    const open = () => {
      opened.push(new DatabaseSync(join(folder, 'expo.db')))
      const options = { baseUrl: service.url, token: service.token, fetch: phoneFetch as never }
      return openRecording(expoDatabase(opened.at(-1)!), settings, options)
    }

    const app = await open()
    await app.start()
    const track = saved.get('trackpress.track')!
    await app.store(locations(0, 30))
    assert.equal(app.queue.state.state, 'waiting')
    // The system has ended the app, and starts its task alone.
    const task = await open()
    await task.store(locations(30, 30))
    isOnline = true
    await task.store(locations(50, 20))
    assert.equal(task.queue.state.state, 'idle')
    const again = await open()
    assert.equal(await again.isRunning(), true)
    await again.finish()
    await again.queue.flush()
    await again.store(locations(70, 1))

    const { tracks, points } = await recorded(track)
    for (const database of opened) database.close()
    assert.equal(tracks[0].state, 'stopped')
    assert.equal(points.length, 70)
    assert.deepEqual(points[0], {
      latitude: 45,
      longitude: 6.87,
      timestamp: '2026-05-03T06:00:00.000Z',
      altitude: 1035.2,
      accuracy: 4.5,
    })
  })
})

/** Locations as expo-location delivers them: an unknown speed and heading are −1 on iOS. */
function locations(from: number, count: number): Location[] {
  return Array.from({ length: count }, (_, i) => ({
    coords: {
      latitude: 45 + (from + i) / 10_000,
      longitude: 6.87,
      altitude: 1035.2,
      accuracy: 4.5,
      altitudeAccuracy: 3,
      speed: -1,
      heading: -1,
    },
    timestamp: Date.UTC(2026, 4, 3, 6) + (from + i) * 1000,
  }))
}
