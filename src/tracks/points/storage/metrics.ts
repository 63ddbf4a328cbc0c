import type { Span } from '@opentelemetry/api'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { contextOf, inSpan, isTracing } from '#platform/tracing/spans.ts'

/** Upper bounds of the commit time buckets, in seconds. */
const COMMIT_BUCKETS_SEC = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

export type TracksMetrics = ReturnType<typeof createTracksMetrics>

/** Registers the metrics of the service. Queue lengths are read on each scrape. */
export function createTracksMetrics(
  registry: Registry,
  queues: { waiting: () => number; compacting: () => number; computing: () => number },
) {
  const registers = [registry]
  const received = new Counter({
    name: 'tracks_points_received_total',
    help: 'Points in accepted requests, duplicates included.',
    registers,
  })
  const bytes = new Counter({
    name: 'tracks_points_received_bytes_total',
    help: 'Decoded bytes of request bodies with points.',
    registers,
  })
  const stored = new Counter({ name: 'tracks_points_stored_total', help: 'New points that were stored.', registers })
  const listed = new Counter({
    name: 'tracks_points_listed_total',
    help: 'Points returned by GET /tracks/:id/points.',
    registers,
  })
  const commits = new Histogram({
    name: 'tracks_commit_duration_seconds',
    help: 'Duration of a transaction that stores points, including the sync to disk.',
    buckets: COMMIT_BUCKETS_SEC,
    registers,
  })
  const group = new Histogram({
    name: 'tracks_commit_requests',
    help: 'Requests that shared a transaction.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  addGauge(registry, 'tracks_points_queue_length', 'Requests waiting for a transaction.', queues.waiting)
  addGauge(registry, 'tracks_merge_queue_length', 'Tracks waiting for compaction.', queues.compacting)
  addGauge(registry, 'tracks_compute_queue_length', 'Tasks waiting for a worker thread.', queues.computing)

  return {
    pointsReceived(points: number, length: number): void {
      received.inc(points)
      bytes.inc(length)
    },
    committed(requests: number, addedPoints: number, durationMs: number): void {
      stored.inc(addedPoints)
      commits.observe(durationMs / 1000)
      group.observe(requests)
    },
    pointsListed: (points: number): void => listed.inc(points),
  }
}

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

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
