import type { Registry } from 'prom-client'
import type { EventStream } from '#platform/http/streams/event-stream.ts'
import { addLiveLag } from '#platform/live/live-lag.ts'
import { LibraryWatch, type LibraryWatchDeps } from './library-watch.ts'

/** The open watches of workspaces on this instance. */
export type LibraryWatches = {
  /** Sends the changes of a workspace to a stream until it ends. */
  join(workspaceId: string, stream: EventStream): void
  /** Ends all streams; resolves when the database is no longer used. */
  close(): Promise<void>
}

type Deps = LibraryWatchDeps & {
  /** Gets the metric of how far watchers are behind. */
  registry: Registry
}

export function createLibraryWatches({ registry, ...deps }: Deps): LibraryWatches {
  const watches = new Map<string, LibraryWatch>()
  addLiveLag(registry, 'publications', () => watches.values())
  return {
    join(workspaceId, stream) {
      if (stream.closed.aborted) return
      const onEnd = () => watches.delete(workspaceId)
      const watch = watches.get(workspaceId) ?? new LibraryWatch(deps, workspaceId, onEnd)
      watches.set(workspaceId, watch)
      watch.join(stream)
    },

    async close() {
      await Promise.all([...watches.values()].map((watch) => watch.close()))
    },
  }
}
