import type { Settings } from '../basics/config.ts'
import type { Logger } from '../basics/logger.ts'
import { inTime } from '../basics/timers.ts'
import { setTracing } from './spans.ts'
import type { tracingConfig } from './tracing-config.ts'

/** Running traces, which are to be stopped after everything that is traced. */
type Tracing = {
  /** Sends the remaining spans, within a time limit. */
  stop(): Promise<void>
}

type Options = { config: Settings<typeof tracingConfig>; version: string; logger: Logger }

/** Spans that wait to be sent: some megabytes. While the collector is away, further ones are dropped. */
const MAX_WAITING_SPANS = 8_192
const MAX_SPANS_PER_REQUEST = 512
const SEND_EVERY_MS = 2_000
/** Time for the collector to answer. */
const ANSWER_WITHIN_MS = 5_000
/** Time for the last spans when stopping. Nothing else waits for the collector. */
const STOP_WITHIN_MS = 1_500
/** Interval of complaints about a collector that is away. */
const COMPLAIN_EVERY_MS = 60_000

/**
 * Starts to send traces if the settings name a collector, and loads the library only then. Never waits for the
 * collector.
 */
export async function startTracing({ config, version, logger }: Options): Promise<Tracing | undefined> {
  const url = urlOf(config)
  if (url === undefined) return undefined
  const [api, sdk, contexts, resources, core, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
  ])
  const complain = createComplaint(logger)
  api.diag.setLogger({ ...SILENT, error: complain, warn: complain }, { logLevel: api.DiagLogLevel.WARN })
  core.setGlobalErrorHandler((error) => complain(messageOf(error)))
  const exporter = new OTLPTraceExporter({ url, headers: { ...config.headers }, timeoutMillis: ANSWER_WITHIN_MS })
  const provider = new sdk.TracerProvider({
    sampler: samplerOf(config, sdk),
    resource: resources.resourceFromAttributes({
      'service.version': version,
      ...config.resourceAttributes,
      'service.name': config.serviceName,
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING_SPANS,
        maxExportBatchSize: MAX_SPANS_PER_REQUEST,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: ANSWER_WITHIN_MS,
      }),
    ],
  })
  api.context.setGlobalContextManager(new contexts.AsyncLocalStorageContextManager().enable())
  const propagator = new core.W3CTraceContextPropagator()
  setTracing({ api, propagator, tracer: provider.getTracer('trackpress', version) })
  return {
    async stop() {
      setTracing(undefined)
      await inTime(
        STOP_WITHIN_MS,
        provider.shutdown().catch(() => {}),
      )
      api.context.disable()
      api.diag.disable()
    },
  }
}

const SILENT = { verbose() {}, debug() {}, info() {} }

function urlOf({ endpoint, tracesEndpoint, isDisabled }: Options['config']): string | undefined {
  if (isDisabled) return undefined
  if (tracesEndpoint !== '') return tracesEndpoint
  return endpoint === '' ? undefined : `${endpoint}/v1/traces`
}

function samplerOf({ sampler, samplerRatio }: Options['config'], sdk: typeof import('@opentelemetry/sdk-trace')) {
  const samplers = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(samplerRatio),
  }
  const root = samplers[sampler.replace('parentbased_', '') as keyof typeof samplers]()
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
}

/** Returns a function that logs that traces could not be sent, at most once in a while. */
function createComplaint(logger: Logger): (message: string) => void {
  let complainedAtMs = Number.NEGATIVE_INFINITY
  return (message) => {
    const nowMs = performance.now()
    if (nowMs - complainedAtMs < COMPLAIN_EVERY_MS) return
    complainedAtMs = nowMs
    logger.warn({ reason: message.slice(0, 500) }, 'traces could not be sent')
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
