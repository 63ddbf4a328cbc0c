import { useDebouncedCallback } from '@mantine/hooks'
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LiveDeleted } from '../../../src/publications/library/library-schemas.ts'
import { libraryStream } from '../api/addresses.ts'
import type { LiveState } from '../components/live-status.tsx'
import {
  getSessionQueryKey,
  operatorGetPublicationOptions,
  operatorGetWorkspaceQueryKey,
  operatorListBinnedPublicationsQueryKey,
  operatorListPagesQueryKey,
  operatorListPublicationsQueryKey,
} from '../generated/@tanstack/react-query.gen.ts'
import type { LibraryEntry, LibraryPage, OperatorPublication, PublicationBin } from '../generated/types.gen.ts'

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
    void client.invalidateQueries({ queryKey: operatorListPublicationsQueryKey({ path: { id: workspaceId } }) })
    void client.invalidateQueries({
      queryKey: operatorGetWorkspaceQueryKey({ path: { id: workspaceId } }),
      exact: true,
    })
    void client.invalidateQueries({ queryKey: operatorListBinnedPublicationsQueryKey({ path: { id: workspaceId } }) })
  }, REFETCH_DELAY_MS)

  // biome-ignore lint/correctness/useExhaustiveDependencies: refetching does not affect the stream
  useEffect(() => {
    setState('opening')
    const source = new EventSource(libraryStream(workspaceId))
    const on = <Data>(name: string, take: (data: Data) => void) =>
      source.addEventListener(name, (event: MessageEvent<string>) => take(JSON.parse(event.data) as Data))
    on('ready', () => {
      setState('live')
      refetch()
    })
    on<LibraryEntry>('publication', (entry) => {
      if (takeEntry(client, workspaceId, entry) || isInBin(client, workspaceId, entry.id)) refetch()
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
      if (source.readyState === EventSource.CLOSED) void client.invalidateQueries({ queryKey: getSessionQueryKey() })
    }
    return () => source.close()
  }, [client, workspaceId])

  return state
}

/** Applies an updated publication. Returns true if the lists have to be refetched. */
function takeEntry(client: QueryClient, workspaceId: string, entry: LibraryEntry): boolean {
  takePublication(client, entry)
  const lists = client.getQueriesData<LoadedLibrary>({
    queryKey: operatorListPublicationsQueryKey({ path: { id: workspaceId } }),
  })
  changeLists(client, workspaceId, (list) => withEntry(list, entry))
  return lists.some(([, list]) => list !== undefined && mayHaveMoved(list, entry))
}

/** Tells whether the bin as it was read last has a publication, which somebody may have restored since. */
function isInBin(client: QueryClient, workspaceId: string, id: string): boolean {
  const key = operatorListBinnedPublicationsQueryKey({ path: { id: workspaceId } })
  return client.getQueryData<PublicationBin>(key)?.publications.some((binned) => binned.id === id) === true
}

function takePublication(client: QueryClient, entry: LibraryEntry): void {
  const { queryKey } = operatorGetPublicationOptions({ path: { id: entry.id } })
  const known = client.getQueryData<OperatorPublication>(queryKey)
  if (known === undefined) return
  client.setQueryData(queryKey, { ...known, ...entry })
  // Findings and failed pages are known at the end of rendering; rendered pages appear in the list of pages.
  const isRendered = entry.pages_ready === entry.page_count
  if (isRendered || known.status !== entry.status) void client.invalidateQueries({ queryKey })
  else if (known.pages_ready !== entry.pages_ready)
    void client.invalidateQueries({ queryKey: operatorListPagesQueryKey({ path: { id: entry.id } }) })
}

function changeLists(client: QueryClient, workspaceId: string, change: (list: LoadedLibrary) => LoadedLibrary): void {
  client.setQueriesData<LoadedLibrary>(
    { queryKey: operatorListPublicationsQueryKey({ path: { id: workspaceId } }) },
    (list) => list && change(list),
  )
}

export type LoadedLibrary = InfiniteData<LibraryPage, string | undefined>

/** Returns a library with an updated entry; the same library if the entry is not loaded. */
export function withEntry(library: LoadedLibrary, entry: LibraryEntry): LoadedLibrary {
  if (!findEntry(library, entry.id)) return library
  return mapPages(library, (page) => ({
    ...page,
    publications: page.publications.map((known) => (known.id === entry.id ? entry : known)),
  }))
}

/** Returns a library without a deleted entry. */
export function withoutEntry(library: LoadedLibrary, id: string): LoadedLibrary {
  if (!findEntry(library, id)) return library
  return mapPages(library, (page) => ({
    ...page,
    total: page.total - 1,
    publications: page.publications.filter((known) => known.id !== id),
  }))
}

/** Checks whether an entry may have moved in the list or between filters, so that the list has to be refetched. */
export function mayHaveMoved(library: LoadedLibrary, entry: LibraryEntry): boolean {
  const known = findEntry(library, entry.id)
  if (known === undefined) return true
  return (
    known.status !== entry.status ||
    known.title !== entry.title ||
    known.slug !== entry.slug ||
    known.collection_id !== entry.collection_id ||
    (known.unpublished_at === null) !== (entry.unpublished_at === null)
  )
}

function findEntry(library: LoadedLibrary, id: string): LibraryEntry | undefined {
  for (const { publications } of library.pages) {
    const found = publications.find((known) => known.id === id)
    if (found !== undefined) return found
  }
  return undefined
}

function mapPages(library: LoadedLibrary, change: (page: LibraryPage) => LibraryPage): LoadedLibrary {
  return { ...library, pages: library.pages.map(change) }
}
