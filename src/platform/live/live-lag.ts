import type { Registry } from 'prom-client'
import { addServiceGauge } from '../metrics/service-gauges.ts'

/** A watch, and how far its viewers are behind. */
type Watched = { readonly lagMs: number }

/** Adds the live views of a service to the metric of their age. */
export function addLiveLag(registry: Registry, service: string, watches: () => Iterable<Watched>): void {
  const help =
    'Age of what live viewers of this instance were sent, of those that are furthest behind; 0 while nobody watches.'
  addServiceGauge(registry, service, { name: 'live_lag_seconds', help }, () => [
    { value: greatestLagMs(watches()) / 1000 },
  ])
}

function greatestLagMs(watches: Iterable<Watched>): number {
  let greatestMs = 0
  for (const { lagMs } of watches) greatestMs = Math.max(greatestMs, lagMs)
  return greatestMs
}
