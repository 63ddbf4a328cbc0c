import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createFrameReader } from '../../clients/typescript/src/live/frames.ts'
import type { FrameLatest } from '../../src/tracks/frames/schemas.ts'
import type { Share } from '../../src/tracks/shares/schemas.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { NGINX, startNginx } from '../support/nginx.ts'
import { startService } from '../support/start-service.ts'
import { trackRequests } from '../support/track-requests.ts'

const SPECTATORS = 100

const sqlite = databases.find(({ name }) => name === 'SQLite')
const reason =
  NGINX === undefined ? 'nginx is not installed' : sqlite === undefined && 'TEST_DATABASES leaves SQLite out'

describe('nginx as a cache of frames', { skip: reason }, async () => {
  if (sqlite === undefined || NGINX === undefined) return
  const service = await startService({ after }, sqlite, { services: ['tracks'], signedIn: true })
  const phone = trackRequests(service.request)
  const track = await phone.create({ title: 'Runner' })
  await phone.add(track, makePoints(3, Date.now() - 10_000))
  const made = await service.answer<Share>(201, 'POST', `/operator/events/${service.eventId}/shares`, {})
  const path = `/shares/${new URL(made.url!).pathname.slice(3)}/frames`
  const { url, stop } = await startNginx(service.url)
  after(stop)

  const latest = async () => (await (await fetch(`${url}${path}/latest`)).json()) as FrameLatest

  /** Returns how many requests the server has answered for an address. */
  async function answered(route: string): Promise<number> {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    const counts = text.matchAll(/^http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)
    return [...counts].reduce((sum, [, labels, n]) => sum + (labels.includes(`route="${route}"`) ? Number(n) : 0), 0)
  }

  test('answers all spectators but the first', async () => {
    const { key } = await latest()
    const route = '/shares/:token/frames/:number'
    const before = await answered(route)

    let fresh = 0
    const bodies = await Promise.all(
      Array.from({ length: SPECTATORS }, async () => {
        const response = await fetch(`${url}${path}/${key}?whole=true`)
        assert.equal(response.status, 200)
        if (response.headers.get('age') === null) fresh++
        return new Uint8Array(await response.arrayBuffer())
      }),
    )

    assert.equal((await answered(route)) - before, 1)
    assert.equal(fresh, 1)
    for (const body of bodies) assert.equal(createFrameReader().take(body)!.changed[0].id, track)
  })

  test('asks for the newest frame at most about once a second', async () => {
    const route = '/shares/:token/frames/latest'
    const { number } = await latest()
    const before = await answered(route)
    const startMs = performance.now()

    let asked = 0
    while ((await latest()).number === number || asked < SPECTATORS) asked++

    const seconds = (performance.now() - startMs) / 1000
    // A cache counts whole seconds.
    assert.ok((await answered(route)) - before <= seconds + 2)
  })

  test('unpacks a frame for clients that read no gzip, and knows what a client has', async () => {
    const { key } = await latest()
    const address = `${url}${path}/${key}?whole=true`

    const packed = await fetch(address, { headers: { 'Accept-Encoding': 'gzip' } })
    const plain = await fetch(address, { headers: { 'Accept-Encoding': 'identity' } })
    const again = await fetch(address, {
      headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': packed.headers.get('etag')! },
    })

    assert.equal(packed.headers.get('content-encoding'), 'gzip')
    assert.equal(plain.headers.get('content-encoding'), null)
    assert.deepEqual(await plain.arrayBuffer(), await packed.arrayBuffer())
    assert.equal(again.status, 304)
  })

  test('keeps no answer of a share that has ended, and nothing that is not there', async () => {
    assert.equal((await fetch(`${url}${path}/1`)).status, 404)
    await service.answer(204, 'DELETE', `/operator/shares/${made.id}`)

    for (;;) {
      const { status } = await fetch(`${url}${path}/latest`)
      if (status === 410) break
      assert.equal(status, 200)
      await wait(100)
    }
    assert.equal((await fetch(`${url}${path}/1`)).status, 410)
  })
})
