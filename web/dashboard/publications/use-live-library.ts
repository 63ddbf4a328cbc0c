import { useDebouncedCallback } from '@mantine/hooks'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LiveDeleted } from '../../../src/publications/schemas/library.ts'
import { apiPaths } from '../api/api-paths.ts'
import { type LibraryEntry, type OperatorPublication, publicationQuery } from '../api/publications.ts'
import { queryKeys } from '../api/query-keys.ts'
import type { LiveState } from '../live/live-state.ts'
import { type LoadedLibrary, mayHaveMoved, withEntry, withoutEntry } from './loaded-library.ts'

/** A burst of changes causes one refetch. */
const REFETCH_DELAY_MS = 800

/**
 * Keeps the loaded publications of a workspace up to date by its stream of events. The browser reconnects after a
 * broken connection; the server then sends `ready`, and missed changes are fetched.
 */
export function useLiveLibrary(workspaceId: string): LiveState {
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('opening')
  const refetch = useDebouncedCallback(() => {
    void client.invalidateQueries({ queryKey: queryKeys.library(workspaceId) })
    void client.invalidateQueries({ queryKey: queryKeys.workspace(workspaceId), exact: true })
  }, REFETCH_DELAY_MS)

  // biome-ignore lint/correctness/useExhaustiveDependencies: refetching does not affect the stream
  useEffect(() => {
    setState('opening')
    const source = new EventSource(apiPaths.workspaceLive(workspaceId))
    const on = <Data>(name: string, take: (data: Data) => void) =>
      source.addEventListener(name, (event: MessageEvent<string>) => take(JSON.parse(event.data) as Data))
    on('ready', () => {
      setState('live')
      refetch()
    })
    on<LibraryEntry>('publication', (entry) => {
      if (takeEntry(client, workspaceId, entry)) refetch()
    })
    on<LiveDeleted>('publication-deleted', ({ id }) => {
      changeLists(client, workspaceId, (list) => withoutEntry(list, id))
      refetch()
    })
    on('ended', () => {
      source.close()
      setState('ended')
    })
    source.onerror = () => {
      setState(source.readyState === EventSource.CLOSED ? 'closed' : 'waiting')
      // A stream does not tell why it was refused. The usual reason is that the session has ended.
      if (source.readyState === EventSource.CLOSED) void client.invalidateQueries({ queryKey: queryKeys.session })
    }
    return () => source.close()
  }, [client, workspaceId])

  return state
}

/** Applies an updated publication. Returns true if the lists have to be refetched. */
function takeEntry(client: QueryClient, workspaceId: string, entry: LibraryEntry): boolean {
  takePublication(client, entry)
  const lists = client.getQueriesData<LoadedLibrary>({ queryKey: queryKeys.library(workspaceId) })
  changeLists(client, workspaceId, (list) => withEntry(list, entry))
  return lists.some(([, list]) => list !== undefined && mayHaveMoved(list, entry))
}

function takePublication(client: QueryClient, entry: LibraryEntry): void {
  const { queryKey } = publicationQuery(entry.id)
  const known = client.getQueryData<OperatorPublication>(queryKey)
  if (known === undefined) return
  client.setQueryData(queryKey, { ...known, ...entry })
  // Findings and failed pages are known at the end of rendering; rendered pages appear in the list of pages.
  const isRendered = entry.pages_ready === entry.page_count
  if (isRendered || known.status !== entry.status) void client.invalidateQueries({ queryKey })
  else if (known.pages_ready !== entry.pages_ready)
    void client.invalidateQueries({ queryKey: queryKeys.pages(entry.id) })
}

function changeLists(client: QueryClient, workspaceId: string, change: (list: LoadedLibrary) => LoadedLibrary): void {
  client.setQueriesData<LoadedLibrary>({ queryKey: queryKeys.library(workspaceId) }, (list) => list && change(list))
}
