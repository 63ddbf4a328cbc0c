import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { tokenHash } from '#platform/credentials/token.ts'
import type { FrameLatest } from '../../src/tracks/frames/schemas.ts'
import { startProgram } from '../acceptance/start-program.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'

const TOKEN = `shr_${'a'.repeat(43)}`
const PATH = `/shares/${TOKEN}/frames`

// A database of SQLite belongs to one process.
for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  describe(`Frames of positions of two processes on ${database.name}`, () => {
    test('go on when one is frozen and when one is killed, with numbers that never fall and the same bytes', async (t) => {
      const { installation, process: first, tracks } = await startProgram(t, database, { SERVICES: 'tracks,dashboard' })
      const second = await installation.start()
      const track = await tracks.create()
      await tracks.add(track, makePoints(5, Date.now() - 10_000))
      const [{ id }] = await installation.query('select id from events')
      await installation.query(
        `insert into shares (id, event_id, token_sha256, sealed, created_at)
         values ('share', '${id}', '${tokenHash(TOKEN)}', '', 1)`,
      )
      const latest = async (url: string) => {
        const response = await fetch(`${url}${PATH}/latest`)
        return response.status === 200 ? ((await response.json()) as FrameLatest) : undefined
      }
      const after = async (url: string, number: number) => {
        for (;;) {
          const found = await latest(url)
          if (found !== undefined && found.number > number) return found
          await wait(100)
        }
      }
      const bytes = async (url: string, number: number, query = '') => {
        const response = await fetch(`${url}${PATH}/${number}${query}`)
        assert.equal(response.status, 200)
        return Buffer.from(await response.arrayBuffer())
      }

      const made = await after(first.url, 0)
      const seen = await after(second.url, made.number)
      first.child.kill('SIGSTOP')
      const whileFrozen = await after(second.url, seen.number + 2)
      first.child.kill('SIGCONT')
      const thawed = await after(first.url, whileFrozen.number)
      const common = await after(second.url, thawed.number)
      for (const number of thawed.numbers) {
        const query = number === thawed.key ? '?whole=true' : ''
        assert.ok((await bytes(first.url, number, query)).equals(await bytes(second.url, number, query)))
      }
      await second.stop('SIGKILL')
      const alone = await after(first.url, common.number + 1)

      assert.ok(thawed.key > made.key, 'the second process began anew')
      assert.ok(alone.number > common.number)
      const rows = await installation.query('select number from live_frames')
      assert.equal(new Set(rows.map(({ number }) => Number(number))).size, rows.length)
    })
  })
}
