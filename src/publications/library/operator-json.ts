import { formatDateTime } from '#platform/basics/time.ts'
import type { Addresses } from '../model/config.ts'
import type { DocumentFacts } from '../model/document-content.ts'
import { FALLBACK_SIZE, imageSize, PAGE_WIDTH } from '../model/image-forms.ts'
import type { PageState } from '../model/library-store.ts'
import { listedJson } from '../model/publication-json.ts'
import type { Publication } from '../model/publication-rows.ts'
import type { LibraryEntry, OperatorPage } from './library-schemas.ts'
import type { CountedWorkspace } from './operator-workspaces-store.ts'
import type { OperatorWorkspace } from './workspace-schemas.ts'

const COVER_WIDTH = 600

/** Returns a workspace with counts of its contents. */
export function workspaceJson(workspace: CountedWorkspace): OperatorWorkspace {
  const { id, name, created_at, publications_count, processing_count, stored_bytes } = workspace
  const { max_bytes, max_publications } = workspace
  const counts = { publications_count, processing_count, stored_bytes, max_bytes, max_publications }
  return { id, name, created_at: formatDateTime(created_at), ...counts }
}

/** Returns a publication as an entry of a library. */
export function libraryEntry(
  publication: Publication,
  views: number,
  addresses: Addresses,
  nowMs: number,
): LibraryEntry {
  return {
    ...listedJson(publication, addresses, nowMs),
    cover: pageImagePath(publication, 1, COVER_WIDTH),
    views,
  }
}

/** Returns all pages of a publication, finished or not. */
export function pagesJson(
  publication: Publication,
  facts: Partial<DocumentFacts>,
  finished: readonly PageState[],
): OperatorPage[] {
  const states = new Map(finished.map((state) => [state.page, state]))
  return Array.from({ length: publication.page_count }, (_, at) => {
    const page = at + 1
    const state = states.get(page)
    const { label, ...size } = facts.pages?.[at] ?? { ...FALLBACK_SIZE, label: undefined }
    return {
      page,
      label: label ?? null,
      ...imageSize(size, PAGE_WIDTH),
      image: pageImagePath(publication, page, PAGE_WIDTH),
      thumbnail: pageImagePath(publication, page, COVER_WIDTH),
      state: state === undefined ? 'waiting' : state.failedReason === null ? 'ready' : 'failed',
      failed_reason: state?.failedReason ?? null,
      text_length: state?.textLength ?? null,
    }
  })
}

/** Returns an operator's address of a page image: readers' addresses do not work while a publication is unpublished. */
function pageImagePath({ id, version_id }: Publication, page: number, width: number): string {
  return `/operator/publications/${id}/pages/${page}/image?version=${version_id}&width=${width}`
}
