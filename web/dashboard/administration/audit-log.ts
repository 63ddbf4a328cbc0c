import type { AuditFilter } from '../api/queries.ts'

export const OUTCOMES = ['succeeded', 'refused', 'failed', 'unknown'] as const
export const SOURCES = ['dashboard', 'admin', 'api', 'server'] as const

/** The search of an address that narrows the audit log. `from` and `to` are days, both included. */
export type AuditSearch = AuditFilter

const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 86_400_000

/** Parses the search of an address; unknown values are left out. */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const values = {
    operator: word(search.operator),
    subject: word(search.subject),
    outcome: OUTCOMES.find((known) => known === search.outcome),
    source: SOURCES.find((known) => known === search.source),
    from: day(search.from),
    to: day(search.to),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

/** Returns the filter of the API for a search. Days follow the browser's time zone. */
export function filterOf({ from, to, ...others }: AuditSearch): AuditFilter {
  return {
    ...others,
    ...(from !== undefined && { from: startOf(from).toISOString() }),
    ...(to !== undefined && { to: new Date(startOf(to).getTime() + DAY_MS).toISOString() }),
  }
}

function startOf(text: string): Date {
  return new Date(`${text}T00:00:00`)
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 100) : undefined
}

function day(value: unknown): string | undefined {
  return typeof value === 'string' && DAY.test(value) && !Number.isNaN(startOf(value).getTime()) ? value : undefined
}
