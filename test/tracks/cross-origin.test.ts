import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describeTracks } from '../support/describe-service.ts'
import { sendBytes } from '../support/send-bytes.ts'

const ORIGIN = 'https://app.example'

describeTracks(
  'Cross-origin requests',
  { on: oneDatabase, settings: { TRACKS_RATE_LIMIT: '500' } },
  async ({ service }) => {
    const listOf = (header: string | undefined) => (header ?? '').toLowerCase().split(/, ?/)

    test('answer a preflight without a token, for every method and header of the API', async () => {
      for (const [path, method] of [
        ['/tracks', 'POST'],
        ['/sync', 'POST'],
        ['/tracks/00000000-0000-4000-8000-000000000000', 'PATCH'],
        ['/tracks/00000000-0000-4000-8000-000000000000', 'DELETE'],
        ['/tracks/00000000-0000-4000-8000-000000000000/points', 'POST'],
      ]) {
        const answer = await sendBytes(service.url + path, {
          method: 'OPTIONS',
          headers: {
            Origin: ORIGIN,
            'Access-Control-Request-Method': method,
            'Access-Control-Request-Headers':
              'authorization,content-encoding,content-type,idempotency-key,prefer,x-api-key',
          },
        })

        assert.equal(answer.status, 204)
        assert.equal(answer.headers['access-control-allow-origin'], '*')
        assert.ok(listOf(answer.headers['access-control-allow-methods']).includes(method.toLowerCase()))
        const allowed = listOf(answer.headers['access-control-allow-headers'])
        for (const header of [
          'authorization',
          'content-encoding',
          'content-type',
          'idempotency-key',
          'prefer',
          'x-api-key',
        ]) {
          assert.ok(allowed.includes(header), header)
        }
      }
    })

    test('answer a preflight that names a content type, with or without a body', async () => {
      for (const body of [Buffer.alloc(0), Buffer.from('{'), Buffer.alloc(100_000, ' ')]) {
        const headers = {
          Origin: ORIGIN,
          'Access-Control-Request-Method': 'POST',
          'Content-Type': 'application/json',
          'Content-Length': body.length,
        }
        const answer = await sendBytes(`${service.url}/tracks`, { method: 'OPTIONS', headers, body })

        assert.equal(answer.status, 204)
      }
    })

    test('answer no preflight for an unknown route', async () => {
      const answer = await sendBytes(`${service.url}/nothing`, {
        method: 'OPTIONS',
        headers: { Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' },
      })

      assert.equal(answer.status, 404)
      assert.equal(answer.headers['access-control-allow-origin'], undefined)
    })

    test('let any page read answers and the headers it needs', async () => {
      const answers = [
        await service.request('GET', '/tracks', undefined, { Origin: ORIGIN }),
        await service.request('GET', '/tracks/unknown', undefined, { Origin: ORIGIN }),
        await service.request('GET', '/tracks', undefined, { Origin: ORIGIN, 'X-API-Key': 'wrong' }),
      ]

      for (const { headers } of answers) {
        assert.equal(headers.get('access-control-allow-origin'), '*')
        assert.equal(headers.get('access-control-allow-credentials'), null)
        const exposed = listOf(headers.get('access-control-expose-headers') ?? undefined)
        for (const header of [
          'ratelimit-limit',
          'ratelimit-remaining',
          'ratelimit-reset',
          'preference-applied',
          'retry-after',
          'trackpress-api',
          'x-request-id',
        ]) {
          assert.ok(exposed.includes(header), header)
        }
      }
    })
  },
)
