import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { startProgram } from './start-program.ts'

for (const database of databases) {
  describe(`operators' endpoints on ${database.name}`, async () => {
    const { process, request, tracks } = await startProgram({ after }, database)

    test('GET /healthz answers 200 {"status":"ok"} without a token', async () => {
      const answer = await fetch(`${process.url}/healthz`)

      assert.deepEqual([answer.status, await answer.text()], [200, '{"status":"ok"}'])
    })

    test('GET /readyz answers 200 with the result of each check', async () => {
      const answer = await fetch(`${process.url}/readyz`)

      assert.equal(answer.status, 200)
      assert.deepEqual(await answer.json(), {
        status: 'ok',
        checks: {
          'tracks database': 'ok',
          'publications database': 'ok',
          'stored files': 'ok',
          'operator database': 'ok',
        },
      })
    })

    test('GET /metrics counts requests and points in Prometheus format, without tokens and ids', async () => {
      const id = await tracks.create()
      const before = await metrics()

      await tracks.add(id, makePoints(30))
      await tracks.add(id, makePoints(40))
      await tracks.points(id)
      await request('GET', '/tracks/unknown')

      // Metrics are kept for a tenth of a second.
      await sleep(150)
      const now = await metrics()
      const grown = (line: string) => readValue(now, line) - readValue(before, line)
      assert.equal(grown('tracks_points_received_total'), 70)
      assert.equal(grown('tracks_points_stored_total'), 40)
      assert.equal(grown('tracks_points_listed_total'), 40)
      assert.equal(grown('http_requests_total{method="POST",route="/tracks/:id/points",status="204"}'), 2)
      assert.equal(grown('http_requests_total{method="GET",route="/tracks/:id",status="404"}'), 1)
      for (const secret of [process.token, id]) assert.equal(now.includes(secret), false)
    })

    test('GET /docs answers an HTML page', async () => {
      const answer = await fetch(`${process.url}/docs`)

      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
      const page = await answer.text()
      for (const document of ['tracks', 'publications']) {
        assert.ok(page.includes(`"${document}.openapi.json"`), document)
        assert.equal((await fetch(`${process.url}/${document}.openapi.json`)).status, 200)
      }
      const [, script] = /<script src="([^"]+)"/.exec(page) ?? []
      assert.equal((await fetch(new URL(script, `${process.url}/docs`))).status, 200)
    })

    async function metrics(): Promise<string> {
      const answer = await fetch(`${process.url}/metrics`)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
      return await answer.text()
    }
  })
}

/** Reads the value of a metric. A metric that does not exist yet is 0. */
function readValue(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.slice(name.length) ?? 0)
}
