import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { runnerName } from '../../../src/tracks/model/runner-names.ts'
import { operatorListRunnersOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { AppToken, Runner } from '../generated/types.gen.ts'

/** A person with a token: their bib and name on the start list, else the label of the token. */
export type Person = { bib: string | null; name: string; fullName: string }

/** Returns the start list of an event as a query of its runners. */
export function useRunners(eventId: string) {
  return useQuery({ ...operatorListRunnersOptions({ path: { id: eventId } }), select: ({ runners }) => runners })
}

/** Returns the person of a token. */
export function personOf({ user_id, label }: AppToken, runners: ReadonlyMap<string, Runner>): Person {
  const runner = runners.get(user_id ?? '')
  if (runner !== undefined) return { bib: runner.bib, name: runner.name, fullName: runnerName(runner) }
  const name = label ?? user_id ?? ''
  return { bib: null, name, fullName: name }
}

/** Returns the runners by their `user_id`, which their tokens have as well. */
export function runnersById(runners: readonly Runner[]): ReadonlyMap<string, Runner> {
  return new Map(runners.map((runner) => [runner.user_id, runner]))
}

/** Returns the comparison of people: by bib as a number, then people without one by name. */
export function useComparePeople(): (a: Person, b: Person) => number {
  const { i18n } = useTranslation()
  const { compare } = new Intl.Collator(i18n.language, { numeric: true })
  return (a, b) => {
    if (a.bib !== null && b.bib !== null) return compare(a.bib, b.bib)
    if (a.bib === null && b.bib === null) return compare(a.name, b.name)
    return a.bib === null ? 1 : -1
  }
}

/**
 * Tells whether a token belongs to a runner of the start list. Tokens stay valid when a runner is removed from it.
 * Without a start list there is nobody to compare with, and every token of a person counts.
 */
export function isListed({ user_id }: AppToken, runners: ReadonlyMap<string, Runner>): boolean {
  return runners.size === 0 || runners.has(user_id ?? '')
}

/** Returns the runners of a start list who have no token. */
export function withoutToken(runners: readonly Runner[], tokens: readonly AppToken[]): Runner[] {
  const known = new Set(tokens.map(({ user_id }) => user_id))
  return runners.filter(({ user_id }) => !known.has(user_id))
}
