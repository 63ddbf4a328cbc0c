import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { readProblem } from '../support/problem.ts'
import { startService } from '../support/start-service.ts'

const ID = '0b51a2de-6f0c-4f2b-9f0e-5f6c8d1e2a77'
const ADDRESSES = {
  GET: [
    '/operator/events',
    `/operator/events/${ID}`,
    `/operator/events/${ID}/tokens`,
    `/operator/events/${ID}/tokens/x`,
    `/operator/events/${ID}/tracks`,
    `/operator/events/${ID}/live`,
    `/operator/events/${ID}/shares`,
    `/operator/tracks/${ID}`,
    `/operator/tracks/${ID}/series`,
    `/operator/tracks/${ID}/splits`,
    `/operator/tracks/${ID}/points`,
    `/operator/tracks/${ID}/export?format=gpx`,
    '/operator/erasures',
    `/operator/erasures/${ID}`,
  ],
  POST: [
    '/operator/events',
    `/operator/events/${ID}/tokens`,
    `/operator/events/${ID}/tokens/rotate`,
    `/operator/events/${ID}/shares`,
    `/operator/tracks/${ID}/finish`,
    '/operator/erasures',
    '/operator/erasures/preview',
    `/operator/erasures/${ID}/verify`,
  ],
  PATCH: [`/operator/events/${ID}`, `/operator/tracks/${ID}`],
  DELETE: [
    `/operator/events/${ID}`,
    `/operator/events/${ID}/tokens/x`,
    `/operator/tracks/${ID}`,
    `/operator/shares/${ID}`,
  ],
}

describe("The operator's endpoints", async () => {
  const { request } = await startService({ after }, databases[0], { services: ['tracks', 'dashboard'] })

  for (const [method, paths] of Object.entries(ADDRESSES)) {
    for (const path of paths) {
      test(`${method} ${path} is for operators only`, async () => {
        await readProblem(await request(method, path), 401, 'UNAUTHORIZED')
      })
    }
  }

  test('shares are open to everyone', async () => {
    assert.equal((await request('GET', '/shares/unknown')).status, 404)
  })
})
