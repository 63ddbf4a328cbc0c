import type { FindName, NamesByKind } from '#platform/audit/find-name.ts'

/** Finds the names of things by their kind, which the services know. */
export type SubjectNames = {
  /** Adds the kinds of a service. */
  add(names: NamesByKind): void
  /** Returns the name of a thing; null if it has none, or its service cannot tell at the moment. */
  find(kind: string, id: string | null, withinId: string | null | undefined): Promise<string | null>
}

export function createSubjectNames(): SubjectNames {
  const known = new Map<string, FindName>()
  return {
    add(names) {
      for (const [kind, find] of Object.entries(names)) known.set(kind, find)
    },

    async find(kind, id, withinId) {
      if (id === null) return null
      // The change itself says whether the thing exists, and fails if its database is away.
      return (
        (await known
          .get(kind)?.(id, withinId ?? undefined)
          .catch(() => null)) ?? null
      )
    },
  }
}
