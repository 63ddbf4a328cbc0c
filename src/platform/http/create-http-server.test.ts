import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { createLogger } from '../basics/logger.ts'
import { createHttpServer } from './create-http-server.ts'
import { createHttpMetrics } from './http-metrics.ts'

test('a server stops at once although connections are open that have sent nothing', { timeout: 30_000 }, async () => {
  const options = { logger: createLogger('silent'), metrics: createHttpMetrics(), trustedProxies: [], formats: {} }
  const app = await createHttpServer({ ...options, connectionsPerAddress: 1 })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  const left = once(client, 'close')
  await once(app.server, 'connection')

  await app.close()
  await left

  assert.equal(client.bytesRead, 0)
})
