import { Gauge, type Registry } from 'prom-client'

/** A value with its labels, in addition to that of the service. */
export type Reading = { labels?: Record<string, string>; value: number }

type ServiceGauge = { name: string; help: string; labelNames?: readonly string[] }
type Read = () => readonly Reading[] | Promise<readonly Reading[]>

/** Readers for each scrape, by registry, gauge and service: the gauges are those of the whole process. */
const gauges = new WeakMap<Registry, Map<string, Map<string, Read>>>()

/** Adds a service to a gauge with a label `service`, which begins with the first of them. It is read on each scrape. */
export function addServiceGauge(
  registry: Registry,
  service: string,
  { name, help, labelNames = [] }: ServiceGauge,
  read: Read,
): void {
  const named = gauges.get(registry) ?? new Map<string, Map<string, Read>>()
  gauges.set(registry, named)
  const known = named.get(name)
  if (known !== undefined) return void known.set(service, read)
  const reads = new Map([[service, read]])
  named.set(name, reads)
  new Gauge({
    name,
    help,
    labelNames: ['service', ...labelNames],
    registers: [registry],
    async collect() {
      this.reset()
      for (const [label, readOwn] of reads) {
        // Other metrics must be available while a database is not.
        const readings = await Promise.resolve()
          .then(readOwn)
          .catch(() => [])
        for (const { labels, value } of readings) this.set({ service: label, ...labels }, value)
      }
    },
  })
}
