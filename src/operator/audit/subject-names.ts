import type { FindName, FindValues, NamesByKind, ValuesByKind } from '#platform/audit/find-name.ts'

/** Finds the names of things by their kind, which the services know. */
export type SubjectNames = {
  /** Adds the kinds of a service. */
  add(names: NamesByKind, values?: ValuesByKind): void
  /** Returns the name of a thing; null if it has none, or its service cannot tell at the moment. */
  find(kind: string, id: string | null, withinId: string | null | undefined): Promise<string | null>
  /** Returns the present values of a thing; undefined if none are known. */
  valuesOf(
    kind: string,
    id: string | null,
    withinId: string | null | undefined,
  ): Promise<Readonly<Record<string, unknown>> | undefined>
}

export function createSubjectNames(): SubjectNames {
  const known = new Map<string, FindName>()
  // Both services have webhooks.
  const knownValues = new Map<string, FindValues[]>()
  return {
    add(names, values = {}) {
      for (const [kind, find] of Object.entries(values)) knownValues.set(kind, [...(knownValues.get(kind) ?? []), find])
      for (const [kind, find] of Object.entries(names)) known.set(kind, find)
    },

    async valuesOf(kind, id, withinId) {
      if (id === null) return undefined
      for (const find of knownValues.get(kind) ?? []) {
        const values = await find(id, withinId ?? undefined).catch(() => undefined)
        if (values !== undefined) return values
      }
      return undefined
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
