import { invalidFields } from '#platform/errors.ts'
import type { OperatorLimits, OperatorRights } from '../domain/operator-rights.ts'
import type { OperatorUpdate } from '../schemas.ts'

/**
 * Ways to find out whether an event or a workspace exists. Undefined where its service does not run in this process.
 */
export type KnownThings = { [Kind in keyof OperatorLimits]: ((id: string) => Promise<boolean>) | undefined }

/**
 * Reads the rights that a request asks for, as a change of the rights before. Where it gives no role or no limits,
 * those before stay, except that an owner has no limits. The change throws invalidFields for limits of an owner.
 * @throws invalidFields for events and workspaces that do not exist
 */
export type RequestedRights = (asked: OperatorUpdate) => Promise<(before: OperatorRights) => OperatorRights>

/** Creates the reader of requests. It looks for the things of services that run in this process. */
export function createRequestedRights(known: KnownThings): RequestedRights {
  return async (asked) => {
    const unknown = asked.limited_to == null ? [] : await findUnknown(asked.limited_to, known)
    if (unknown.length > 0)
      throw invalidFields(
        unknown.map(({ kind, i }) => ({ path: `limited_to/${kind}/${i}`, message: 'does not exist' })),
      )
    return (before) => rightsAfter(asked, before)
  }
}

function rightsAfter({ role: askedRole, limited_to: asked }: OperatorUpdate, before: OperatorRights): OperatorRights {
  const role = askedRole ?? before.role
  if (role !== 'owner') return { role, limitedTo: asked === undefined ? before.limitedTo : asked }
  if (asked != null) throw invalidFields([{ path: 'limited_to', message: 'must be null for an owner' }])
  return { role, limitedTo: null }
}

/** An event or a workspace that does not exist, with its place in the list. */
type UnknownThing = { kind: keyof OperatorLimits; i: number; id: string }

/** Returns those events and workspaces that do not exist. Kinds that `known` does not know are not looked for. */
export async function findUnknown(limits: OperatorLimits, known: KnownThings): Promise<UnknownThing[]> {
  const all = (['events', 'workspaces'] as const).flatMap((kind) => limits[kind].map((id, i) => ({ kind, i, id })))
  const exist = await Promise.all(all.map(async ({ kind, id }) => (await known[kind]?.(id)) ?? true))
  return all.filter((_thing, i) => !exist[i])
}
