import type { HttpServer } from '../http-server.ts'
import type { HttpMetrics } from './metrics.ts'

/** A dependency that the process cannot work without. `check` rejects with UNAVAILABLE while it is down. */
export type ReadinessCheck = { name: string; check(): Promise<void> }

/** GET /healthz, /readyz and /metrics, for orchestrators and monitoring: without rate limit or authentication. */
export function healthRoutes(app: HttpServer, checks: readonly ReadinessCheck[], metrics: HttpMetrics): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const results = await Promise.all(checks.map(readiness))
    const ready = results.every(([, state]) => state === 'ok')
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'unavailable', checks: Object.fromEntries(results) })
  })

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}

async function readiness({ name, check }: ReadinessCheck): Promise<[string, string]> {
  try {
    await check()
    return [name, 'ok']
  } catch (error) {
    return [name, (error as Error).message]
  }
}
