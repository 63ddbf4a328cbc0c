import type { Pool } from 'pg'
import { Gauge, type Registry } from 'prom-client'

/** Registers the metrics of a service's connections to PostgreSQL. `prefix` begins their names: `tracks`. */
export function createPoolMetrics(registry: Registry, prefix: string, pool: Pool): void {
  const registers = [registry]
  new Gauge({
    name: `${prefix}_database_connections`,
    help: 'Connections to PostgreSQL, by state.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    },
  })
  new Gauge({
    name: `${prefix}_database_waiting`,
    help: 'Queries and transactions that wait for a connection to PostgreSQL.',
    registers,
    collect() {
      this.set(pool.waitingCount)
    },
  })
}
