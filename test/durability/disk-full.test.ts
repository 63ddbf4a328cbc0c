import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { answered, apiClient } from './api-client.ts'
import { checkAcknowledged, checkAfterCrash, pointCount, sendAgainAndCheck } from './check-tracks.ts'
import { openInstallation, type RunningInstallation, TRACKS_ALONE } from './installation.ts'
import { startLoad } from './load.ts'
import type { Ledger } from './recorded-track.ts'
import { seededRandom } from './seeded-random.ts'

const sqlite = databases.find(({ name }) => name === 'SQLite')

/** Bytes by which the files may grow before the disk counts as full: some tens of batches. */
const LITTLE_ROOM_BYTES = 65_536
const FILLS_WITHIN_MS = 20_000

type Problem = { code: string; status: number; detail: string }

// A file size limit imitates a full disk: SQLite sees a write that stores fewer bytes than given, or none. Unlike a
// small file system it needs no privileges and can be lifted while the process runs.
describe('a full disk under SQLite', { skip: reasonToSkip() }, () => {
  test('causes 503, damages nothing, still allows reads, and needs no restart', async (t) => {
    const random = seededRandom(t)
    const ledger: Ledger = []
    const installation = await openInstallation(t, sqlite!.open, TRACKS_ALONE)
    const server = await installation.start()
    const dataDir = installation.settings.DATA_DIR
    const managerToken = await installation.managerToken()

    // The disk fills up while phones send.
    const load = startLoad(server.send, random, ledger, { acceptsUnavailable: true })
    await wait(500)
    limitFileSize(server, largestFile(dataDir) + LITTLE_ROOM_BYTES)
    await until(() => load.unavailable() >= 10)
    load.stop()
    await load.ended
    assert(load.unavailable() >= 10, 'the disk never was full')
    await checkAcknowledged(server.send, ledger)

    // Nothing can be written at all.
    limitFileSize(server, 1)
    await checkWritesRefused(server, managerToken)
    await checkReadiness(server.url, 503, "The database's disk")
    await checkReadsAnswered(server, ledger)
    await checkAcknowledged(server.send, ledger)

    // There is space again.
    limitFileSize(server, 'unlimited')
    await checkReadiness(server.url, 200, 'ok')
    await sendAgainAndCheck(server.send, ledger)
    const again = startLoad(server.send, random, ledger)
    await wait(300)
    again.stop()
    await again.ended
    await server.stop('SIGKILL')
    const restarted = await installation.start()
    await checkAfterCrash(restarted, installation, { recent: ledger, ledger, random })
    t.diagnostic(`${load.requests()} requests, ${load.unavailable()} refused, ${pointCount(ledger)} points`)
  })
})

async function checkWritesRefused({ send, url }: RunningInstallation, managerToken: string): Promise<void> {
  // Finishing a finished track writes nothing.
  const running = send('GET', '/tracks?state=running&limit=1')
  const [{ id }] = (await answered<{ tracks: { id: string }[] }>(200, running)).tracks
  const points = makePoints(5, Date.UTC(2030, 0, 1))
  const writes = [
    send('POST', '/tracks', { device_track_id: 'refused' }),
    send('POST', '/tracks', { device_track_id: 'refused' }, { 'Idempotency-Key': 'refused' }),
    send('POST', '/sync', { track: { device_track_id: 'refused' }, points }),
    send('POST', `/tracks/${id}/points`, { points }),
    send('PATCH', `/tracks/${id}`, { title: 'refused' }),
    send('POST', `/tracks/${id}/finish`),
    apiClient(url, managerToken)('DELETE', `/tracks/${id}`),
  ]
  for (const answer of await Promise.all(writes)) {
    assert.equal(answer?.status, 503)
    assert.match(answer.headers.get('content-type')!, /^application\/problem\+json/)
    const { code, status, detail } = answer.json as Problem
    assert.deepEqual([code, status], ['UNAVAILABLE', 503])
    assert.match(detail, /disk/)
  }
}

async function checkReadsAnswered({ send }: RunningInstallation, ledger: Ledger): Promise<void> {
  await answered(200, send('GET', '/healthz'))
  const { tracks } = await answered<{ tracks: unknown[] }>(200, send('GET', '/tracks?limit=1000'))
  assert(tracks.length > 0)
  for (const { id } of ledger) {
    if (id === undefined) continue
    const shown = await answered<{ points_count: number }>(200, send('GET', `/tracks/${id}`))
    const listed = await answered<{ count: number }>(200, send('GET', `/tracks/${id}/points`))
    assert.equal(listed.count, shown.points_count)
  }
}

function limitFileSize({ pid }: RunningInstallation, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
}

function largestFile(dataDir: string): number {
  return Math.max(...['tracks.sqlite', 'tracks.sqlite-wal'].map((name) => statSync(join(dataDir, name)).size))
}

/** Compares what a readiness probe gets. A write that succeeded before the disk was full counts for some seconds. */
async function checkReadiness(url: string, status: number, start: string): Promise<void> {
  const probe = () => fetch(`${url}/readyz`)
  await until(async () => (await probe()).status === status)
  const answer = await probe()
  const { checks } = (await answer.json()) as { checks: Record<string, string> }
  assert.equal(answer.status, status)
  assert(checks['tracks database'].startsWith(start), checks['tracks database'])
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; !(await isSo()) && waitedMs < FILLS_WITHIN_MS; waitedMs += 20) await wait(20)
}

function reasonToSkip(): string | false {
  if (sqlite === undefined) return 'TEST_DATABASES leaves it out'
  return spawnSync('prlimit', ['--version']).error === undefined ? false : 'prlimit (util-linux) is not installed'
}
