import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TracksImported } from '../../src/tracks/imports/schemas.ts'
import { databases } from '../support/databases.ts'
import { gpxOf, gpxTrack, walkEast } from '../support/make-recordings.ts'
import type { WirePointList, WireTrack } from '../support/track-requests.ts'
import { openInstallation, TRACKS_ALONE } from './installation.ts'

const TRACKS_PER_FILE = 40
const POINTS_PER_TRACK = 60
const DAY_MS = 86_400_000
const KILLS = 3

/** A file of many tracks, of days that no other number has. */
function fileOf(number: number): string {
  const tracks = Array.from({ length: TRACKS_PER_FILE }, (_, i) =>
    gpxTrack({ points: walkEast(POINTS_PER_TRACK, DAY_MS * (number * TRACKS_PER_FILE + i)) }),
  )
  return gpxOf(...tracks)
}

for (const database of databases) {
  describe(`a process on ${database.name} that is killed while it imports`, () => {
    test('has stored all tracks of a file with all their points, or none, and all that were acknowledged', async (t) => {
      const installation = await openInstallation(
        { after: (clean) => t.after(clean) },
        (owner) => database.prepare(owner),
        TRACKS_ALONE,
      )
      const send = async (url: string, token: string, number: number) => {
        const headers = { 'X-API-Key': token, 'Content-Type': 'application/gpx+xml' }
        const path = `${url}/tracks/import?user_id=${number}`
        return await fetch(path, { method: 'POST', headers, body: fileOf(number) })
      }
      const acknowledged = new Map<number, string[]>()
      let number = 0
      let token = ''

      for (let kill = 0; kill < KILLS; kill++) {
        const running = await installation.start()
        token ||= running.token
        const importing = (async () => {
          for (;;) {
            const own = number++
            const answer = (await (await send(running.url, token, own)).json()) as TracksImported
            acknowledged.set(
              own,
              answer.tracks.map(({ track_id }) => track_id),
            )
          }
        })().catch(() => undefined)
        while (acknowledged.size <= kill) await sleep(5)
        await sleep(30 * kill)
        await running.stop('SIGKILL')
        await importing
      }

      const { url } = await installation.start()
      const read = async <Body>(path: string) =>
        (await (await fetch(url + path, { headers: { 'X-API-Key': token } })).json()) as Body
      for (let own = 0; own < number; own++) {
        const { tracks } = await read<{ tracks: WireTrack[] }>(`/tracks?user_id=${own}&limit=1000`)
        const ids = acknowledged.get(own)
        assert.ok(
          tracks.length === TRACKS_PER_FILE || (tracks.length === 0 && ids === undefined),
          `${own}: ${tracks.length}`,
        )
        if (ids !== undefined) assert.deepEqual(tracks.map(({ id }) => id).sort(), ids.sort())
        for (const { id } of tracks.slice(0, 2)) {
          assert.equal((await read<WirePointList>(`/tracks/${id}/points`)).count, POINTS_PER_TRACK)
        }
      }
      assert.ok(acknowledged.size >= KILLS)
    })
  })
}
