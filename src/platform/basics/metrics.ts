import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Gauge, type Registry } from 'prom-client'

/** A value with its labels, in addition to the label of the service. */
export type Reading = { labels?: Record<string, string>; value: number }

type ServiceGauge = { name: string; help: string; labelNames?: readonly string[] }
type Read = () => readonly Reading[] | Promise<readonly Reading[]>

/** Readers for each scrape, by registry, gauge and service: the gauges belong to the whole process. */
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

type ProcessMetricsOptions = {
  version: string
  dataDir: string
  /** Memory of the bodies that each service is receiving, by its name. */
  bodyBudgets: Record<string, { readonly usedBytes: number }>
}

/**
 * Registers the metrics that belong to the whole process: its version, its bodies
 * and its disk. All are read on each scrape.
 */
export function createProcessMetrics(
  registry: Registry,
  { version, dataDir, bodyBudgets }: ProcessMetricsOptions,
): void {
  const add = (name: string, help: string, labelNames: string[], read: () => Reading[] | Promise<Reading[]>) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        this.reset()
        // Other metrics must be available while the disk is not.
        for (const { labels = {}, value } of await Promise.resolve(read()).catch(() => [])) this.set(labels, value)
      },
    })

  add('trackpress_info', 'Always 1; the label is the version that runs.', ['version'], () => [
    { labels: { version }, value: 1 },
  ])
  add('http_body_memory_bytes', 'Memory of the large bodies that a service is receiving.', ['service'], () =>
    Object.entries(bodyBudgets).map(([service, { usedBytes }]) => ({ labels: { service }, value: usedBytes })),
  )
  add('data_dir_size_bytes', 'Size of the file system of DATA_DIR.', [], async () => {
    const { blocks, bsize } = await statfs(dataDir)
    return [{ value: blocks * bsize }]
  })
  add('data_dir_free_bytes', 'Space on the file system of DATA_DIR that this process may still use.', [], async () => {
    const { bavail, bsize } = await statfs(dataDir)
    return [{ value: bavail * bsize }]
  })
  add('sqlite_file_bytes', 'Size of a SQLite database without its log.', ['database'], () => sizes(dataDir, ''))
  add('sqlite_log_bytes', 'Size of the write-ahead log of a SQLite database.', ['database'], () =>
    sizes(dataDir, '-wal'),
  )
}

async function sizes(dataDir: string, suffix: string): Promise<Reading[]> {
  const ending = `.sqlite${suffix}`
  const names = (await readdir(dataDir)).filter((name) => name.endsWith(ending))
  return await Promise.all(
    names.map(async (name) => ({
      labels: { database: name.slice(0, -ending.length) },
      value: (await stat(join(dataDir, name))).size,
    })),
  )
}
