import type { AddressInfo } from 'node:net'
import { RETRY_SOON, unavailable } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { createHttpServer } from './create-http-server.ts'
import { healthRoutes } from './health.ts'
import { createHttpMetrics } from './metrics.ts'

/** A server that answers while the process waits for what it cannot start without. */
type WaitingServer = {
  /** The port that it listens on. */
  port: number
  close(): Promise<void>
}

type WaitingServerOptions = {
  logger: Logger
  port: number
  host: string
  /** Name of the readiness check. */
  name: string
  /** Returns the reason for waiting. */
  reason: () => string
}

/** Answers 503 with the reason to everything but `/healthz` and `/metrics`. */
export async function startWaitingServer(options: WaitingServerOptions): Promise<WaitingServer> {
  const { logger, port, host, name, reason } = options
  const metrics = createHttpMetrics()
  const app = await createHttpServer({ logger, metrics, trustedProxies: [], formats: {} })
  const refusal = () => unavailable({ detail: reason(), headers: RETRY_SOON })
  const refuse = () => Promise.reject(refusal())
  healthRoutes(app, [{ service: name, name, check: refuse, checkWrite: refuse, writtenForMs: 0 }], metrics)
  app.all('/*', { schema: { hide: true }, onRequest: (_request, _reply, done) => done(refusal()) }, async () => {})
  await app.listen({ port, host })
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
}
