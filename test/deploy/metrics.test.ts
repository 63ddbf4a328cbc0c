import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Pool } from 'pg'
import { Registry } from 'prom-client'
import { parse as parseYaml } from 'yaml'
import { createPoolMetrics } from '#platform/database/connect-postgres.ts'
import { databases } from '../support/databases.ts'
import { makePoints } from '../support/make-points.ts'
import { usesOf } from '../support/prom-query.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'
import { startService } from '../support/start-service.ts'

type Panel = { title: string; targets?: { expr: string }[] }
type Dashboard = { panels: Panel[]; templating: { list: { definition?: string; name: string }[] } }
type Alert = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const dashboard = JSON.parse(read('deploy/grafana/trackpress.json')) as Dashboard
const alertsFile = read('deploy/prometheus/alerts.yml')
const alerts = (parseYaml(alertsFile) as { groups: { rules: Alert[] }[] }).groups.flatMap(({ rules }) => rules)

/** What Prometheus adds to every series, and its own metric of scrapes. */
const ADDED_LABELS = ['job', 'instance']
const OWN_METRICS = ['up']

/** What Grafana replaces before it sends a query. */
const asSent = (expr: string) => expr.replaceAll('$__rate_interval', '5m').replaceAll(/\$(?:job|instance)\b/g, '.+')

const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ name: `panel “${title}”`, expr: asSent(expr) })),
)
const queries = [...panels, ...alerts.map(({ alert, expr }) => ({ name: `alert ${alert}`, expr }))]

describe('usesOf', () => {
  test('finds metrics with the labels they are selected and grouped by', () => {
    const uses = usesOf('sum by (route) (rate(a_total{status=~"5.."}[5m])) / on (route) b{c="d"} > 1')

    assert.deepEqual(uses, [
      { metric: 'a_total', labels: ['status', 'route'] },
      { metric: 'b', labels: ['c', 'route'] },
    ])
  })

  test('refuses what is not PromQL', () => {
    assert.throws(() => usesOf('sum(rate(a_total[5m])'), /not valid PromQL/)
  })
})

const sqlite = databases.find(({ name }) => name === 'SQLite')

describe('dashboard and alert rules', {
  skip: sqlite === undefined && 'TEST_DATABASES leaves SQLite out',
}, async () => {
  const metrics = sqlite === undefined ? new Map<string, Set<string>>() : await metricsOfUsedServer()

  for (const { name, expr } of queries) {
    test(`${name} uses metrics and labels that exist`, () => {
      const uses = usesOf(expr).filter(({ metric }) => !OWN_METRICS.includes(metric))

      for (const { metric, labels } of uses) {
        const known = metrics.get(metric)
        assert.ok(known !== undefined, `there is no metric ${metric}`)
        const unknown = labels.filter((label) => !known.has(label) && !ADDED_LABELS.includes(label) && label !== 'le')
        assert.deepEqual(unknown, [], `labels of ${metric}`)
      }
    })
  }

  test('show every metric of the program', () => {
    const shown = new Set(queries.flatMap(({ expr }) => usesOf(expr).map(({ metric }) => baseName(metric))))
    const own = [...metrics.keys()].filter((metric) => !/^(process|nodejs)_/.test(metric)).map(baseName)

    assert.deepEqual(
      [...new Set(own)].filter((metric) => !shown.has(metric)),
      [],
    )
  })
})

describe('the dashboard', () => {
  test('offers jobs and instances of a metric that exists', () => {
    const definitions = dashboard.templating.list.map(({ definition }) => definition).filter(Boolean)

    assert.deepEqual(definitions, [
      'label_values(trackpress_info, job)',
      'label_values(trackpress_info{job=~"$job"}, instance)',
    ])
  })
})

describe('alert rules', () => {
  const headings = [...read('docs/alerts.md').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading.toLowerCase())

  for (const { alert, labels, annotations } of alerts) {
    test(`${alert} leads to what to do`, () => {
      assert.match(labels.severity, /^(critical|warning|info)$/)
      assert.match(annotations.summary, /\.$/)
      assert.equal(annotations.runbook, `docs/alerts.md#${alert.toLowerCase()}`)
      assert.ok(headings.includes(alert.toLowerCase()), `docs/alerts.md has no section ${alert}`)
    })

    test(`${alert} gives the reason for its threshold`, () => {
      const [, comment = ''] = new RegExp(`- alert: ${alert}\\n((?: +#.*\\n)+)`).exec(alertsFile) ?? []

      assert.ok(comment.length > 60, `there is no comment below ${alert}`)
    })
  }

  test('tell what nobody would notice until it is too late', () => {
    const watched = new Set(alerts.flatMap(({ expr }) => usesOf(expr).map(({ metric }) => metric)))
    const silent = [
      'trackpress_backup_last_success_seconds',
      'damaged_files',
      'damaged_chunks',
      'live_lag_seconds',
      'audit_chain_broken',
      'audit_chain_checked_seconds',
      'open_files_used_up_total',
      'tracks_deletions_held',
      'http_stall_seconds_total',
    ]

    assert.deepEqual(
      silent.filter((metric) => !watched.has(metric)),
      [],
    )
  })

  test('are all that docs/alerts.md describes', () => {
    const described = [...read('docs/alerts.md').matchAll(/^#+ (Trackpress\w+)$/gm)].map(([, name]) => name)

    assert.deepEqual(
      described,
      alerts.map(({ alert }) => alert),
    )
  })
})

/** Starts a server, uses what has labels, and returns the names of its metrics with their labels. */
async function metricsOfUsedServer(): Promise<Map<string, Set<string>>> {
  const service = await startService({ after }, sqlite!)
  const { id } = await service.answer<{ id: string }>(201, 'POST', '/tracks', { device_track_id: 'a' })
  await service.answer(204, 'POST', `/tracks/${id}/points`, { points: makePoints(20) })
  await service.answer(404, 'GET', '/tracks/unknown')
  const { slug } = await publishPdf(service)
  await untilRendered(service, slug)
  const leave = new AbortController()
  await fetch(`${service.url}/publications/${slug}/events`, { signal: leave.signal })
  const text = await (await fetch(`${service.url}/metrics`)).text()
  leave.abort()
  return labelsByMetric(`${text}\n${await poolMetrics()}`)
}

/** Returns what an instance on PostgreSQL has beside these. */
async function poolMetrics(): Promise<string> {
  const registry = new Registry()
  for (const service of ['tracks', 'publications', 'operator']) createPoolMetrics(registry, service, new Pool())
  return await registry.metrics()
}

function labelsByMetric(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, metric, labels = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(metric) ?? new Set()
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label)
    found.set(metric, known)
  }
  return found
}

function baseName(metric: string): string {
  return metric.replace(/_(?:bucket|sum|count)$/, '')
}
