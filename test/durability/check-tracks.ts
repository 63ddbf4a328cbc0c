import assert from 'node:assert/strict'
import type { RandomChoices } from '../support/random-choices.ts'
import { type ApiClient, answered, apiClient } from './api-client.ts'
import type { Installation, RunningInstallation } from './installation.ts'
import {
  creationOf,
  keyHeader,
  type Ledger,
  multiplicities,
  pointsOf,
  type RecordedTrack,
  recordedPoint,
} from './recorded-track.ts'

type Listed = { count: number; points: Record<string, unknown>[] }
type Shown = { points_count: number; state: string; end_ts: string | null; stats: object; start_ts: string }

/** Number of tracks whose statistics are compared with those of a new track with the same points. */
const COMPARED_TRACKS = 4

/**
 * Checks everything after a crash. `recent` holds the tracks that may have changed since the last check, `ledger` all
 * tracks.
 */
export async function checkAfterCrash(
  server: RunningInstallation,
  installation: Installation,
  { recent, ledger, random }: { recent: Ledger; ledger: Ledger; random: RandomChoices },
): Promise<void> {
  await checkAcknowledged(server.send, recent)
  await sendAgainAndCheck(server.send, recent)
  await compareWithNewTracks(apiClient(server.url, await installation.managerToken()), recent, random)
  await verifyStorage(installation, ledger)
}

/**
 * Compares the stored data with the phones' knowledge before anything is sent again. Everything
 * acknowledged is stored once. Each request without a response is stored completely or not at all. This
 * includes tracks whose creation was not acknowledged.
 */
export async function checkAcknowledged(send: ApiClient, ledger: Ledger): Promise<void> {
  for (const track of ledger) {
    const id = track.id ?? (await findTrack(send, track))
    if (id === undefined) continue
    const stored = await storedPoints(send, id, track)
    const least = multiplicities(track.batches.filter((batch) => batch.isAcknowledged))
    const most = multiplicities(track.batches)
    for (const [index, count] of most) {
      const found = stored.get(index) ?? 0
      const place = `point ${index} of ${track.deviceTrackId}`
      assert(found >= (least.get(index) ?? 0), `${place} was acknowledged and is there ${found} times`)
      assert(found <= count, `${place} is there ${found} times, sent at most ${count} times`)
    }
    checkWholeRequests(track, stored)
  }
}

/** Repeats every request without a response. Afterwards exactly the points that were sent are stored. */
export async function sendAgainAndCheck(send: ApiClient, ledger: Ledger): Promise<void> {
  for (const track of ledger) {
    await createAgain(send, track)
    for (const batch of track.batches) {
      if (batch.isAcknowledged) continue
      const points = pointsOf(track, batch.indexes)
      await answered(204, send('POST', `/tracks/${track.id}/points`, { points }))
      batch.isAcknowledged = true
    }
    assert.deepEqual(sorted(await storedPoints(send, track.id!, track)), sorted(multiplicities(track.batches)))
    const shown = await answered<Shown>(200, send('GET', `/tracks/${track.id}`))
    assert.equal(shown.points_count, pointCount([track]))
    if (track.endTs !== undefined) assert.deepEqual([shown.state, shown.end_ts], ['stopped', track.endTs])
  }
}

/**
 * Checks that statistics and order of the points equal those of a new track that gets all points at once, and is then
 * deleted. The token of `send` needs the permission `manage`.
 */
export async function compareWithNewTracks(send: ApiClient, ledger: Ledger, random: RandomChoices): Promise<void> {
  const comparable = ledger.filter((track) => pointCount([track]) > 0 && pointCount([track]) <= 50_000)
  const chosen = Array.from({ length: Math.min(COMPARED_TRACKS, comparable.length) }, () => random.pick(comparable))
  for (const track of chosen) {
    const own = await answered<Shown>(200, send('GET', `/tracks/${track.id}`))
    const ownPoints = await answered<Listed>(200, send('GET', `/tracks/${track.id}/points`))
    const { activity_type } = own as unknown as { activity_type: string }
    const fields = { device_track_id: `copy-${track.id}`, activity_type, start_ts: own.start_ts }
    const points = [...multiplicities(track.batches)].reverse().flatMap(([index, count]) => {
      return Array<unknown>(count).fill(recordedPoint(track, index))
    })
    const { track_id } = await answered<{ track_id: string }>(201, send('POST', '/sync', { track: fields, points }))

    const copy = await answered<Shown>(200, send('GET', `/tracks/${track_id}`))
    const copyPoints = await answered<Listed>(200, send('GET', `/tracks/${track_id}/points`))
    assert.deepEqual(own.stats, copy.stats)
    assert.deepEqual(ownPoints.points, copyPoints.points)
    await answered(204, send('DELETE', `/tracks/${track_id}`))
  }
}

/** Checks that `storage verify` finds every track with every point, and nothing broken. */
export async function verifyStorage(installation: Installation, ledger: Ledger): Promise<void> {
  const { exitCode, answer, stderr } = await installation.command('storage', 'verify')
  const report = answer as { tracks: number; points: number; broken: unknown[] }
  assert.equal(stderr, '')
  assert.deepEqual(report.broken, [])
  assert.equal(exitCode, 0)
  assert.deepEqual([report.tracks, report.points], [ledger.length, pointCount(ledger)])
}

/** Counts the points that must be stored once everything has been sent. */
export function pointCount(ledger: Ledger): number {
  return ledger.reduce((sum, track) => {
    for (const count of multiplicities(track.batches).values()) sum += count
    return sum
  }, 0)
}

/**
 * Finds the track created by a request without a response, if any. A synced track has all its points or does not exist.
 */
async function findTrack(send: ApiClient, track: RecordedTrack): Promise<string | undefined> {
  const path = `/tracks?device_track_id=${track.deviceTrackId}`
  const { tracks } = await answered<{ tracks: { id: string }[] }>(200, send('GET', path))
  assert(tracks.length <= 1, `${track.deviceTrackId} is there ${tracks.length} times`)
  if (tracks.length === 0) return undefined
  assert.deepEqual(sorted(await storedPoints(send, tracks[0].id, track)), sorted(multiplicities(track.batches)))
  return tracks[0].id
}

/**
 * Creates the track again. With an idempotency key, even an acknowledged creation returns its first response. Without a
 * key, the refusal names the track of the lost response.
 */
async function createAgain(send: ApiClient, track: RecordedTrack): Promise<void> {
  if (track.id !== undefined && track.idempotencyKey === undefined) return
  const before = track.id ?? (await findTrack(send, track))
  const status = before === undefined || track.idempotencyKey !== undefined ? 201 : 409
  const { id, track_id = id } = await answered<{ id?: string; track_id?: string }>(
    status,
    send('POST', track.path, creationOf(track), keyHeader(track)),
  )
  assert.equal(track_id, before ?? track_id)
  track.id = track_id
  if (track.path === '/sync') track.batches[0].isAcknowledged = true
}

/**
 * Checks that a request without a response is stored with all of its points or none, by the points that only it
 * contains.
 */
function checkWholeRequests({ batches, deviceTrackId }: RecordedTrack, stored: Map<number, number>): void {
  const senders = new Map<number, number>()
  for (const { indexes } of batches) {
    for (const index of new Set(indexes)) senders.set(index, (senders.get(index) ?? 0) + 1)
  }
  for (const { indexes } of batches) {
    const own = indexes.filter((index) => senders.get(index) === 1)
    const found = own.filter((index) => stored.has(index)).length
    assert(found === 0 || found === own.length, `${found} of ${own.length} points of a request to ${deviceTrackId}`)
  }
}

/** Counts how often each point of the track is stored, exactly as sent. Points must be listed in time order. */
async function storedPoints(send: ApiClient, id: string, track: RecordedTrack): Promise<Map<number, number>> {
  const { count, points } = await answered<Listed>(200, send('GET', `/tracks/${id}/points`))
  assert.equal(points.length, count)
  const indexes = new Map<string, number>()
  for (let index = 0; index < track.next; index++) indexes.set(identity(recordedPoint(track, index)), index)
  const stored = new Map<number, number>()
  let before = ''
  for (const point of points) {
    const index = indexes.get(identity(point))
    assert(index !== undefined, `${track.deviceTrackId} has a point that was never sent: ${JSON.stringify(point)}`)
    assert((point.timestamp as string) >= before, 'points are listed out of order')
    before = point.timestamp as string
    stored.set(index, (stored.get(index) ?? 0) + 1)
  }
  return stored
}

function identity(point: Record<string, unknown>): string {
  const { latitude, longitude, timestamp, altitude, accuracy, speed_mps, heading, battery } = point
  return JSON.stringify([timestamp, latitude, longitude, altitude, accuracy, speed_mps, heading, battery])
}

function sorted(counts: Map<number, number>): [number, number][] {
  return [...counts].sort(([a], [b]) => a - b)
}
