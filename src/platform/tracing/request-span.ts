import type { Span } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request until it ends; undefined without traces. */
    span: Span | undefined
  }
}

/** `SpanStatusCode.ERROR`, whose library is not loaded without traces. */
const ERROR = 2

/** Ends the span of a request. An event stream does so when it begins, because it lasts as long as its client stays. */
export function endRequestSpan(request: FastifyRequest, status: number): void {
  const { span } = request
  if (span === undefined) return
  request.span = undefined
  span.setAttribute('http.response.status_code', status)
  // 4xx is the client's error and not the server's (semantic conventions of HTTP spans).
  if (status >= 500) span.setStatus({ code: ERROR }).setAttribute('error.type', String(status))
  span.end()
}
