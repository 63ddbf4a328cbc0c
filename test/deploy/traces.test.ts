import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/otlp-receiver.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { ROOT, readImports } from '../support/read-imports.ts'
import { startService } from '../support/start-service.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'

const SERVER = 2
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`
const CLOSED = 'http://127.0.0.1:9'

async function startTraced(t: TestContext, collector: string, settings: Record<string, string> = {}) {
  return await startService(t, databases[0], {
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', ...settings },
  })
}

function pathTo({ spans }: OtlpReceiver, span: ReceivedSpan): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent === undefined ? [] : pathTo({ spans } as OtlpReceiver, parent)), span.name]
}

describe('traces', () => {
  test('show a batch of points from the request to the commit, which batches share', async (t) => {
    const collector = await startOtlpReceiver(t)
    const service = await startTraced(t, collector.url, { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key' })
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) {
      ids.push((await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: name })).id)
    }

    const add = (id: string) => service.answer(204, 'POST', `/tracks/${id}/points`, { points: makePoints(20) })
    for (let round = 0; round < 5; round++) await Promise.all(ids.map(add))
    await service.server.close()

    const shared = collector.spans.find(
      ({ name, linkedSpanIds }) => name === 'commit points' && linkedSpanIds.length > 0,
    )
    assert.ok(shared !== undefined, collector.spans.map(({ name }) => name).join())
    assert.deepEqual(pathTo(collector, shared), ['POST /tracks/:id/points', 'append points', 'commit points'])
    assert.equal(shared.attributes['trackpress.commit.requests'], String(shared.linkedSpanIds.length + 1))
    const linked = collector.spans.filter(({ spanId }) => shared.linkedSpanIds.includes(spanId))
    assert.deepEqual(new Set(linked.map(({ name }) => name)), new Set(['append points']))
    for (const { linkedSpanIds } of linked) assert.ok(linkedSpanIds.includes(shared.spanId))
    const query = collector.spans.find(({ attributes }) => attributes['db.namespace'] === 'tracks')!
    assert.equal(pathTo(collector, query)[0].split(' ')[0], 'POST')
    const request = collector.spans.find(({ name }) => name === 'POST /tracks/:id/points')!
    assert.equal(request.kind, SERVER)
    assert.equal(request.attributes['http.response.status_code'], '204')
    assert.equal(request.resource['service.name'], 'trackpress')
    assert.equal(collector.headers[0]['x-key'], 'a key')
    assert.equal(collector.headers[0].url, '/v1/traces')
    const sent = Buffer.concat(collector.bodies).toString('latin1')
    for (const secret of [service.token, ...ids]) assert.ok(!sent.includes(secret), secret)
  })

  test('show how a document is stored and rendered', async (t) => {
    const collector = await startOtlpReceiver(t)
    const service = await startTraced(t, collector.url)

    const { slug } = await publishPdf(service, { title: 'A secret title' })
    await untilRendered(service, slug)
    await service.server.close()

    const names = new Set(collector.spans.map((span) => pathTo(collector, span).join(' > ')))
    for (const path of ['render document', 'POST /publications', 'render document > write blob']) {
      assert.ok(names.has(path), `${path} is not in ${[...names].join(', ')}`)
    }
    assert.ok([...names].some((path) => path.endsWith('inspect document') || path.endsWith('render page')))
    const sent = Buffer.concat(collector.bodies).toString('latin1')
    for (const secret of [service.apiKey, slug, 'A secret title']) assert.ok(!sent.includes(secret), secret)
  })

  test('are continued by the receivers of webhooks', async (t) => {
    const collector = await startOtlpReceiver(t)
    const service = await startTraced(t, collector.url)
    const receiver = await startWebhookReceiver(t)
    const webhook = await service.asManager('POST', '/webhooks', { url: `${receiver.url}?key=a-secret-key` })
    assert.equal(webhook.status, 201, await webhook.text())

    await service.answer(201, 'POST', '/tracks', { device_track_id: 'a' })
    const [{ headers }] = await receiver.until(1)
    await service.server.close()

    const span = collector.spans.find(({ name }) => name === 'POST webhook')!
    assert.equal(headers.traceparent, `00-${span.traceId}-${span.spanId}-01`)
    assert.deepEqual(pathTo(collector, span), ['deliver webhook', 'POST webhook'])
    assert.equal(span.attributes['http.response.status_code'], '204')
    assert.ok(!Buffer.concat(collector.bodies).includes('a-secret-key'))
  })

  test('are continued from trusted proxies only, and follow their choice', async (t) => {
    const collector = await startOtlpReceiver(t)
    for (const TRUSTED_PROXIES of ['127.0.0.1', '192.0.2.1']) {
      const service = await startTraced(t, collector.url, { TRUSTED_PROXIES })
      await fetch(`${service.url}/tracks`, { headers: { traceparent: TRACEPARENT } })
      await fetch(`${service.url}/tracks`, { headers: { traceparent: TRACEPARENT.replace(/01$/, '00') } })
      await fetch(`${service.url}/readyz`)
      await service.server.close()
    }

    const requests = collector.spans.filter(({ kind }) => kind === SERVER)

    assert.deepEqual(
      requests.map(({ name, traceId }) => [name, traceId === TRACE_ID]),
      [
        ['GET /tracks', true],
        ['GET /tracks', false],
        ['GET /tracks', false],
      ],
    )
  })

  test('are a share of all requests if the sampler says so', async (t) => {
    const collector = await startOtlpReceiver(t)
    const service = await startTraced(t, collector.url, {
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    })

    for (let count = 0; count < 20; count++) await service.request('GET', '/tracks')
    await service.server.close()

    assert.equal(collector.spans.length, 0)
  })

  for (const [name, open] of [
    ['hangs', async (t: TestContext) => (await startOtlpReceiver(t, { hangs: true })).url],
    ['is away', async () => CLOSED],
  ] as const) {
    test(`hold up neither requests nor the end while the collector ${name}`, async (t) => {
      const service = await startTraced(t, await open(t))
      const { id } = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'a' })

      for (let count = 0; count < 30; count++) {
        await service.answer(204, 'POST', `/tracks/${id}/points`, { points: makePoints(5) })
      }
      const startMs = performance.now()
      await service.server.close()

      assert.ok(performance.now() - startMs < 6000)
    })
  }

  test('load nothing without a collector', () => {
    const imports = readImports().filter(
      ({ from, to, isTypeOnly }) => from.startsWith('src/') && to.startsWith('@opentelemetry/') && !isTypeOnly,
    )
    const file = 'src/platform/tracing/start-tracing.ts'

    assert.deepEqual([...new Set(imports.map(({ from }) => from))], [file])
    assert.doesNotMatch(readFileSync(join(ROOT, file), 'utf8'), /^import .* from '@opentelemetry/m)
  })
})
