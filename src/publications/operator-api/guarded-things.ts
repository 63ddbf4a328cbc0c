import type { GuardedThing } from '#platform/http/operators/operator-rule.ts'
import { publicationNotFound, workspaceNotFound } from '../errors.ts'
import type { LibraryStore } from '../storage/library/library-store.ts'

type Deps = { library: Pick<LibraryStore, 'find'> }

/**
 * Returns the things of workspaces that addresses for operators name, so that the
 * guard can tell which workspace each is in.
 */
export function guardedThings({ library }: Deps): GuardedThing[] {
  return [
    { address: '/operator/workspaces/:id', containerOf: (id) => id, notFound: workspaceNotFound },
    {
      address: '/operator/publications/:id',
      containerOf: async (id) => (await library.find(id))?.workspace_id,
      notFound: publicationNotFound,
    },
  ]
}
