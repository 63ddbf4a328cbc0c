import type { PublicationsDeps } from '../deps.ts'
import { createLibraryWatches, type LibraryWatches } from '../live/library-watches.ts'
import { createLibraryStore, type LibraryStore } from '../storage/library-store.ts'
import { createOperatorWorkspacesStore, type OperatorWorkspacesStore } from '../storage/operator-workspaces-store.ts'
import { createWorkspaceKeys, type WorkspaceKeys } from '../workspaces/workspace-keys.ts'

/** What the operator's endpoints need from outside of the service. */
export type OperatorOptions = {
  /** Under which API keys are kept for display. */
  sealingKey: Buffer
}

/** What the operator's endpoints are built from. */
export type OperatorDeps = PublicationsDeps &
  OperatorOptions & {
    operatorWorkspaces: OperatorWorkspacesStore
    library: LibraryStore
    workspaceKeys: WorkspaceKeys
    watches: LibraryWatches
  }

export function createOperatorDeps(deps: PublicationsDeps, { sealingKey }: OperatorOptions): OperatorDeps {
  const { db, database, workspaces, figures, logger, now } = deps
  return {
    ...deps,
    sealingKey,
    operatorWorkspaces: createOperatorWorkspacesStore(db),
    library: createLibraryStore(db),
    workspaceKeys: createWorkspaceKeys({ workspaces, notices: database.notices, sealingKey, now }),
    watches: createLibraryWatches({ db, figures, addresses: deps.addresses, logger, now }),
  }
}
