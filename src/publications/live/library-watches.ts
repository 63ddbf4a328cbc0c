import type { EventStream } from '#platform/http/streams/event-stream.ts'
import { LibraryWatch, type LibraryWatchDeps } from './library-watch.ts'

/** Who watches which workspace on this instance. */
export type LibraryWatches = {
  /** Begins to tell a stream of a workspace, until it ends. */
  join(workspaceId: string, stream: EventStream): void
}

export function createLibraryWatches(deps: LibraryWatchDeps): LibraryWatches {
  const watches = new Map<string, LibraryWatch>()
  return {
    join(workspaceId, stream) {
      const onEmpty = () => watches.delete(workspaceId)
      const watch = watches.get(workspaceId) ?? new LibraryWatch(deps, workspaceId, onEmpty)
      watches.set(workspaceId, watch)
      watch.join(stream)
    },
  }
}
