import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { FigureDay, ReadingFigures } from '../../../src/publications/schemas/figures.ts'
import type { LibraryEntry, LibraryPage, LibraryQuery } from '../../../src/publications/schemas/library.ts'
import type {
  OperatorPublication,
  OperatorPublicationChange,
} from '../../../src/publications/schemas/operator-publication.ts'
import type { OperatorPage, OperatorPageList } from '../../../src/publications/schemas/pages.ts'
import type { UploadReference } from '../../../src/publications/schemas/publication.ts'
import type { UploadTicket } from '../../../src/publications/schemas/uploads.ts'
import { request } from './request.ts'
import { searchOf } from './tracks.ts'
import { workspaceAddress } from './workspaces.ts'

export type {
  FigureDay,
  LibraryEntry,
  LibraryPage,
  OperatorPage,
  OperatorPublication,
  ReadingFigures,
  UploadReference,
  UploadTicket,
}

/** What narrows and orders a library. */
export type LibraryFilter = Omit<LibraryQuery, 'cursor' | 'limit'>

const ENTRIES_PER_PAGE = 100

/** Under which every page of a workspace's library is kept, however it is narrowed and ordered. */
export function libraryKey(workspaceId: string) {
  return ['workspace', workspaceId, 'publications'] as const
}

/** A workspace's publications, page after page. */
export function libraryQuery(workspaceId: string, filter: LibraryFilter) {
  return infiniteQueryOptions({
    queryKey: [...libraryKey(workspaceId), filter],
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) => {
      const query = searchOf({ ...filter, limit: ENTRIES_PER_PAGE, cursor: pageParam })
      return request<LibraryPage>('GET', `${workspaceAddress(workspaceId)}/publications?${query}`, { signal })
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

/** The publication of a slug in its workspace, where there is one. */
export async function findBySlug(workspaceId: string, slug: string): Promise<LibraryEntry | undefined> {
  const query = searchOf({ q: slug, limit: ENTRIES_PER_PAGE })
  const { publications } = await request<LibraryPage>('GET', `${workspaceAddress(workspaceId)}/publications?${query}`)
  return publications.find((publication) => publication.slug === slug)
}

/** One publication. */
export function publicationQuery(id: string) {
  return queryOptions({
    queryKey: ['publication', id],
    queryFn: ({ signal }) => request<OperatorPublication>('GET', publicationAddress(id), { signal }),
  })
}

/** The pages of a publication. */
export function pagesQuery(id: string) {
  return queryOptions({
    queryKey: ['publication', id, 'pages'],
    queryFn: async ({ signal }) =>
      (await request<OperatorPageList>('GET', `${publicationAddress(id)}/pages`, { signal })).pages,
  })
}

/** How a publication was read in the last days, today included. */
export function figuresQuery(id: string, days: number) {
  return queryOptions({
    queryKey: ['publication', id, 'figures', days],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)
      return request<ReadingFigures>('GET', `${publicationAddress(id)}/figures?${searchOf({ from })}`, { signal })
    },
  })
}

/** A ticket for one upload. */
export function createTicket(workspaceId: string, signal: AbortSignal): Promise<UploadTicket> {
  return request('POST', `${workspaceAddress(workspaceId)}/upload-url`, { body: {}, signal })
}

/** Makes a publication of a file that was uploaded. */
export function createPublication(
  workspaceId: string,
  title: string,
  { storageKey, pdfPath }: UploadReference,
  signal?: AbortSignal,
): Promise<OperatorPublication> {
  const body = { title, storageKey, pdfPath }
  return request('POST', `${workspaceAddress(workspaceId)}/publications`, { body, signal })
}

/** Puts a file that was uploaded in the place of a publication's. */
export function replaceFile(
  id: string,
  { storageKey, pdfPath }: UploadReference,
  signal?: AbortSignal,
): Promise<OperatorPublication> {
  return request('PUT', `${publicationAddress(id)}/file`, { body: { storageKey, pdfPath }, signal })
}

/** Changes what is given of a publication. */
export function changePublication(id: string, change: OperatorPublicationChange): Promise<OperatorPublication> {
  return request('PATCH', publicationAddress(id), { body: change })
}

/** Withdraws a publication, or makes it public again. */
export function setPublished(id: string, isPublished: boolean): Promise<OperatorPublication> {
  return request('POST', `${publicationAddress(id)}/${isPublished ? 'publish' : 'unpublish'}`)
}

/** Deletes a publication with its files and figures. */
export function deletePublication(id: string): Promise<void> {
  return request('DELETE', publicationAddress(id))
}

/** Where the live events of a workspace's library come from. */
export function libraryLiveAddress(workspaceId: string): string {
  return `${workspaceAddress(workspaceId)}/live`
}

function publicationAddress(id: string): string {
  return `/operator/publications/${encodeURIComponent(id)}`
}
