import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Gauge, type Registry } from 'prom-client'

type ProcessMetricsOptions = {
  version: string
  dataDir: string
  /** Memory of the bodies that each service is receiving, by its name. */
  bodyBudgets: Record<string, { readonly usedBytes: number }>
}

/** A value with its labels. */
type Reading = { labels?: Record<string, string>; value: number }

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
