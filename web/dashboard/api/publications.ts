import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { FigureDay, ReadingFigures } from '../../../src/publications/schemas/figures.ts'
import type { LibraryEntry, LibraryPage, LibraryQuery } from '../../../src/publications/schemas/library.ts'
import type {
  OperatorPublication,
  OperatorPublicationCreate,
  OperatorPublicationUpdate,
} from '../../../src/publications/schemas/operator-publication.ts'
import type { OperatorPage, OperatorPageList } from '../../../src/publications/schemas/pages.ts'
import type { FileReplace } from '../../../src/publications/schemas/publication.ts'
import type { UploadTicket } from '../../../src/publications/schemas/uploads.ts'
import { apiPaths, withQuery } from './api-paths.ts'
import { queryKeys } from './query-keys.ts'
import { request } from './request.ts'

export type {
  FigureDay,
  FileReplace,
  LibraryEntry,
  LibraryPage,
  OperatorPage,
  OperatorPublication,
  ReadingFigures,
  UploadTicket,
}

/** The filters and the order of a library. */
export type LibraryFilter = Omit<LibraryQuery, 'cursor' | 'limit'>

const ENTRIES_PER_PAGE = 100

/** A workspace's publications, page after page. */
export function libraryQuery(workspaceId: string, filter: LibraryFilter) {
  return infiniteQueryOptions({
    queryKey: queryKeys.filteredLibrary(workspaceId, filter),
    initialPageParam: undefined as string | undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filter, limit: ENTRIES_PER_PAGE, cursor: pageParam }
      return request<LibraryPage>('GET', withQuery(apiPaths.library(workspaceId), query), { signal })
    },
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  })
}

/** Finds the publication of a workspace that has a slug. */
export async function findBySlug(workspaceId: string, slug: string): Promise<LibraryEntry | undefined> {
  const address = withQuery(apiPaths.library(workspaceId), { q: slug, limit: ENTRIES_PER_PAGE })
  const { publications } = await request<LibraryPage>('GET', address)
  return publications.find((publication) => publication.slug === slug)
}

/** One publication. */
export function publicationQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.publication(id),
    queryFn: ({ signal }) => request<OperatorPublication>('GET', apiPaths.publication(id), { signal }),
  })
}

/** The pages of a publication. */
export function pagesQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.pages(id),
    queryFn: async ({ signal }) => (await request<OperatorPageList>('GET', apiPaths.pages(id), { signal })).pages,
  })
}

/** Reading figures of a publication over the last days, today included. */
export function figuresQuery(id: string, days: number) {
  return queryOptions({
    queryKey: queryKeys.figures(id, days),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const from = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)
      return request<ReadingFigures>('GET', withQuery(apiPaths.figures(id), { from }), { signal })
    },
  })
}

/** Issues a ticket for one upload. */
export function createTicket(workspaceId: string, signal: AbortSignal): Promise<UploadTicket> {
  return request('POST', apiPaths.uploadUrl(workspaceId), { body: {}, signal })
}

/** A publication to create: the title that it gets if its file states none, and whether it stays unpublished. */
export type NewPublication = { fileName: string; isDraft: boolean }

/** Creates a publication from an uploaded file. */
export function createPublication(
  workspaceId: string,
  { fileName, isDraft }: NewPublication,
  { storageKey, pdfPath }: FileReplace,
  signal?: AbortSignal,
): Promise<OperatorPublication> {
  return request('POST', apiPaths.library(workspaceId), {
    body: { file_name: fileName, draft: isDraft, storageKey, pdfPath } satisfies OperatorPublicationCreate,
    signal,
  })
}

/** Replaces a publication's file with an uploaded one. */
export function replaceFile(
  id: string,
  { storageKey, pdfPath }: FileReplace,
  signal?: AbortSignal,
): Promise<OperatorPublication> {
  return request('PUT', apiPaths.file(id), { body: { storageKey, pdfPath }, signal })
}

/** Changes the given fields of a publication. */
export function changePublication(id: string, change: OperatorPublicationUpdate): Promise<OperatorPublication> {
  return request('PATCH', apiPaths.publication(id), { body: change })
}

/** Publishes or unpublishes a publication. */
export function setPublished(id: string, isPublished: boolean): Promise<OperatorPublication> {
  return request('POST', isPublished ? apiPaths.publish(id) : apiPaths.unpublish(id))
}

/** Deletes a publication with its files and figures. */
export function deletePublication(id: string): Promise<void> {
  return request('DELETE', apiPaths.publication(id))
}
