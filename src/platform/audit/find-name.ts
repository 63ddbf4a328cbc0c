/**
 * Finds the name of a thing by its id, for the audit log; undefined if there is none. `withinId` is the id of what it
 * belongs to, such as the event of a token.
 */
export type FindName = (id: string, withinId: string | undefined) => Promise<string | null | undefined>

/** Finds the values of a thing that are neither secret nor positions, for the audit log; undefined if there is none. */
export type FindValues = (
  id: string,
  withinId: string | undefined,
) => Promise<Readonly<Record<string, unknown>> | undefined>

/** Finders of the values of a service's things, by their kind. */
export type ValuesByKind = Readonly<Record<string, FindValues>>

/** Finders of the names of a service's things, by their kind: `event`, `track`. */
export type NamesByKind = Readonly<Record<string, FindName>>
