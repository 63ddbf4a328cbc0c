import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { databases } from '../support/databases.ts'
import { describeOn, describeTracks } from '../support/describe-service.ts'
import { readProblem } from '../support/problem.ts'
import { startService } from '../support/start-service.ts'

/** A second and a margin for the granularity of the server's window. */
const WINDOW_MS = 1100
/** A request counts for at least this long. */
const LIMITED_MS = 1000

describeTracks(
  'Rate limit',
  { settings: { TRACKS_RATE_LIMIT: '5', TRUSTED_PROXIES: '127.0.0.1,::1' } },
  async ({ service }) => {
    /** Sends concurrent requests from a client address that no other test uses. */
    const burst = async (count: number, headers: Record<string, string>) =>
      await Promise.all(Array.from({ length: count }, () => service.request('GET', '/tracks', undefined, headers)))
    /** Sends them again from another address if they took so long that the first were counted no more. */
    const burstWithinWindow = async (count: number, subnet: string, headers: Record<string, string> = {}) => {
      for (let host = 1; ; host++) {
        const address = { 'X-Forwarded-For': `${subnet}.${host}` }
        const startMs = performance.now()
        const answers = await burst(count, { ...address, ...headers })
        if (performance.now() - startMs < LIMITED_MS) return { answers, address }
      }
    }
    const statuses = (answers: Response[]) => answers.map(({ status }) => status).sort()

    test('returns the limit, the remaining requests and the reset time', async () => {
      const answers = []
      for (let i = 0; i < 3; i++) answers.push(...(await burst(1, { 'X-Forwarded-For': '192.0.2.1' })))

      const remaining = answers.map(({ headers }) => headers.get('ratelimit-remaining'))
      assert.deepEqual(remaining.toSorted().reverse(), remaining)
      for (const { headers } of answers) {
        assert.equal(headers.get('ratelimit-limit'), '5')
        assert.equal(headers.get('ratelimit-reset'), '1')
      }
    })

    test('answers 429 with Retry-After beyond the limit, and accepts requests again after that time', async () => {
      const { answers, address } = await burstWithinWindow(8, '198.51.100')
      await setTimeout(WINDOW_MS)
      const later = await burst(5, address)

      assert.deepEqual(statuses(answers), [200, 200, 200, 200, 200, 429, 429, 429])
      for (const refused of answers.filter(({ status }) => status === 429)) {
        await readProblem(refused, 429, 'RATE_LIMIT')
        assert.equal(refused.headers.get('retry-after'), '1')
        assert.equal(refused.headers.get('ratelimit-remaining'), '0')
        assert.equal(refused.headers.get('access-control-allow-origin'), '*')
      }
      assert.deepEqual(statuses(later), [200, 200, 200, 200, 200])
    })

    test('counts each token and each client address separately', async () => {
      const other = await service.createEvent('Other')

      const answers = await Promise.all([
        burst(5, { 'X-Forwarded-For': '192.0.2.3' }),
        burst(5, { 'X-Forwarded-For': '192.0.2.4' }),
        burst(5, { 'X-Forwarded-For': '192.0.2.3', 'X-API-Key': other.token }),
      ])

      assert.deepEqual(statuses(answers.flat()), Array(15).fill(200))
    })

    test('counts all endpoints together, failed requests included', async () => {
      const address = { 'X-Forwarded-For': '192.0.2.5' }

      const answers = [
        await service.request('POST', '/tracks', {}, address),
        await service.request('GET', '/tracks/unknown', undefined, address),
        await service.request('POST', '/sync', 'x', address),
      ]

      assert.deepEqual(statuses(answers), [400, 400, 404])
      for (const { headers } of answers) assert.equal(headers.get('ratelimit-limit'), '5')
    })

    test('counts failed authentications by address, before looking up the token', async () => {
      const { answers: wrong, address } = await burstWithinWindow(8, '203.0.113', { 'X-API-Key': 'wrong' })
      const right = await burst(1, address)
      const elsewhere = await burst(1, { 'X-Forwarded-For': '192.0.2.7' })

      assert.deepEqual(statuses(wrong), [401, 401, 401, 401, 401, 429, 429, 429])
      assert.deepEqual([statuses(right), statuses(elsewhere)], [[429], [200]])
      for (const { headers } of wrong) assert.equal(headers.get('ratelimit-limit'), '5')
    })

    test('accepts any client address of a trusted proxy, also with a port or unreadable', async () => {
      const named = await burst(3, { 'X-Forwarded-For': '192.0.2.8:4711' })
      const again = await burst(3, { 'X-Forwarded-For': '192.0.2.8' })
      const hidden = await burst(1, { 'X-Forwarded-For': '_hidden:4711' })

      assert.deepEqual(statuses([...named, ...again]), [200, 200, 200, 200, 200, 429])
      assert.deepEqual(statuses(hidden), [200])
    })

    test('does not count requests for health, metrics and documentation', async () => {
      for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']) {
        const answers = await Promise.all(Array.from({ length: 12 }, () => fetch(service.url + path)))

        assert.deepEqual(statuses(answers), Array(12).fill(200), path)
        for (const { headers } of answers) assert.equal(headers.has('ratelimit-limit'), false)
      }
    })
  },
)

describeOn(databases, 'Rate limit settings', async (database) => {
  const unlimited = await startService({ after }, database, {
    services: ['tracks'],
    settings: { TRACKS_RATE_LIMIT: '0' },
  })
  const direct = await startService({ after }, database, {
    services: ['tracks'],
    settings: { TRACKS_RATE_LIMIT: '3' },
  })

  test('disables the limit and its headers when it is 0', async () => {
    const answers = await Promise.all(Array.from({ length: 600 }, () => unlimited.request('GET', '/tracks/x')))

    for (const { status, headers } of answers) {
      assert.equal(status, 404)
      for (const name of ['limit', 'remaining', 'reset']) assert.equal(headers.has(`ratelimit-${name}`), false)
    }
  })

  test('ignores X-Forwarded-For unless a trusted proxy sends it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        direct.request('GET', '/tracks', undefined, { 'X-Forwarded-For': `192.0.2.${i}` }),
      ),
    )

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 429, 429, 429])
  })
})
