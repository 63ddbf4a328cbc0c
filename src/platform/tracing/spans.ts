import type { IncomingHttpHeaders } from 'node:http'
import type * as OpenTelemetry from '@opentelemetry/api'
import type { Attributes, Context, Span, TextMapPropagator, Tracer } from '@opentelemetry/api'

// Spans of OpenTelemetry. Without a collector, its code is not even loaded, and each function here costs a comparison.

/** The loaded library and the tracer of this process. */
type TracingRuntime = {
  api: typeof OpenTelemetry
  tracer: Tracer
  propagator: TextMapPropagator<IncomingHttpHeaders>
}

/** Options of a span. */
type SpanOptions = {
  kind?: 'server' | 'client'
  attributes?: Attributes
  /** Begin of a span that is already over; now by default. */
  startMs?: number
  /** The context that the span belongs to; by default the active one. */
  within?: Context | undefined
}

let runtime: TracingRuntime | undefined

/** Turns spans on, or off with undefined. There is one tracer in a process, as in OpenTelemetry. */
export function setTracing(next: TracingRuntime | undefined): void {
  runtime = next
}

/** Tells whether spans are recorded. */
export function isTracing(): boolean {
  return runtime !== undefined
}

/** Returns the context that runs, for work that goes on elsewhere; undefined without traces. */
export function currentContext(): Context | undefined {
  return runtime?.api.context.active()
}

/**
 * Returns the context of no request, for work that a request may have woken but that
 * belongs to all; undefined without traces.
 */
export function rootContext(): Context | undefined {
  return runtime?.api.ROOT_CONTEXT
}

/** Returns a context with a span in it, for work that continues in the span. */
export function contextOf(span: Span | undefined): Context | undefined {
  if (runtime === undefined || span === undefined) return rootContext()
  return runtime.api.trace.setSpan(runtime.api.ROOT_CONTEXT, span)
}

/** Starts a span; the caller ends it. Undefined without traces. */
export function startSpan(name: string, { kind, attributes, startMs, within }: SpanOptions): Span | undefined {
  if (runtime === undefined) return undefined
  const { api, tracer } = runtime
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT }
  const options = { attributes, startTime: startMs, kind: kind === undefined ? api.SpanKind.INTERNAL : kinds[kind] }
  return tracer.startSpan(name, options, within ?? api.context.active())
}

/** Runs work in the context of a span. */
export function runIn<Result>(span: Span, parent: Context, work: () => Result): Result {
  const { api } = runtime!
  return api.context.with(api.trace.setSpan(parent, span), work)
}

/** Returns the context that a proxy names in `traceparent` and `tracestate` (W3C Trace Context). */
export function contextFrom(headers: IncomingHttpHeaders): Context {
  const { api, propagator } = runtime!
  return propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter)
}

/**
 * Runs work in a span, which ends with it. Rejects as the work does; the span then has
 * the kind of its error, and no text of it.
 */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options)
  if (span === undefined) return await work(undefined)
  const parent = options.within ?? runtime!.api.context.active()
  return await runIn(span, parent, async () => {
    try {
      return await work(span)
    } catch (error) {
      failSpan(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/**
 * Does the same as part of a span that is being recorded. Elsewhere, such as in maintenance
 * that nobody waits for, there is no span.
 */
export async function inChildSpan<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isRecording()) return await work()
  return await inSpan(name, { attributes }, work)
}

/** Tells whether a span that has not ended is being recorded here. */
export function isRecording(): boolean {
  return runtime?.api.trace.getActiveSpan()?.isRecording() === true
}

/** Marks a span as failed. The text of an error may quote data, so only its kind is kept. */
export function failSpan(span: Span, error: unknown): void {
  if (runtime === undefined) return
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  span.setStatus({ code: runtime.api.SpanStatusCode.ERROR })
  span.setAttribute('error.type', typeof code === 'string' ? code : String(name ?? typeof error))
}

/** Returns the header that continues a trace at another server (W3C Trace Context); empty without a span. */
export function traceHeaders(span: Span | undefined): { traceparent?: string } {
  if (span === undefined) return {}
  const { traceId, spanId, traceFlags } = span.spanContext()
  return { traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` }
}
