import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Share } from '../../src/tracks/shares/schemas.ts'
import { databases } from '../support/databases.ts'
import { startService } from '../support/start-service.ts'

const STREAMS = 20

for (const database of databases.filter(({ name }) => name === 'PostgreSQL')) {
  test('an address holds as many live streams of three instances as the setting says', async (t) => {
    const service = await startService(t, database, {
      services: ['tracks'],
      signedIn: true,
      settings: { LIVE_STREAMS_PER_ADDRESS: String(STREAMS) },
    })
    const urls = [service.url, (await service.startAnother()).url, (await service.startAnother()).url]
    const { url } = await service.answer<Share>(201, 'POST', `/operator/events/${service.eventId}/shares`, {})
    const path = `/shares/${new URL(url!).pathname.slice(3)}/live`
    const leaving = new AbortController()
    // A response that nobody refers to is closed.
    const answers: Response[] = []

    // Most arrive at one instance.
    for (let stream = 0; stream < STREAMS * 2; stream++) {
      const at = stream % 8 === 0 ? 1 + ((stream / 8) % 2) : 0
      answers.push(await fetch(urls[at] + path, { signal: leaving.signal }))
      await wait(60)
    }
    leaving.abort()

    const statuses = answers.map(({ status }) => status)
    const held = statuses.filter((status) => status === 200).length
    assert.deepEqual([...new Set(statuses)].sort(), [200, 429])
    assert.ok(Math.abs(held - STREAMS) <= STREAMS * 0.1, `${held} instead of ${STREAMS}`)
  })
}
