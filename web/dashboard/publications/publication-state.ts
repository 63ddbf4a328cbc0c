import type { LibraryEntry } from '../api/publications.ts'

/** How a publication stands, as people see it: whether it is public comes before how far it is rendered. */
export type PublicationState = 'unpublished' | 'failed' | 'processing' | 'public'

type Stated = Pick<LibraryEntry, 'status' | 'unpublished_at'>

export function publicationState({ status, unpublished_at }: Stated): PublicationState {
  if (unpublished_at !== null) return 'unpublished'
  return status === 'ready' ? 'public' : status
}

/** Whether pages are still being rendered, also of a publication that can be read already. */
export function isRendering(entry: Pick<LibraryEntry, 'status' | 'pages_ready' | 'page_count'>): boolean {
  return entry.status !== 'failed' && entry.pages_ready < entry.page_count
}
