import type { Span } from '@opentelemetry/api'
import { contextOf, inSpan, isTracing } from '#platform/tracing/spans.ts'

/** A request whose points are stored, with the span in which it waits. */
type Traced = { span?: Span | undefined }

/**
 * Runs a transaction that stores the points of many requests. Its span belongs to the first of them that is recorded,
 * and is linked with all others, both ways.
 */
export function inCommitSpan<Result>(requests: readonly Traced[], work: () => Promise<Result>): Promise<Result> {
  if (!isTracing()) return work()
  const recorded = requests.flatMap(({ span }) => (span?.isRecording() === true ? [span] : []))
  const [first, ...others] = recorded
  if (first === undefined) return work()
  const attributes = { 'trackpress.commit.requests': requests.length }
  return inSpan('commit points', { attributes, within: contextOf(first) }, (span) => {
    for (const other of others) {
      span?.addLink({ context: other.spanContext() })
      other.addLink({ context: span!.spanContext() })
    }
    return work()
  })
}
