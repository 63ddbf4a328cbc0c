import type { LibraryEntry } from '../api/publications.ts'

/** The state of a publication as people see it: being unpublished comes before the rendering status. */
export type PublicationState = 'unpublished' | 'failed' | 'processing' | 'public'

type Stated = Pick<LibraryEntry, 'status' | 'unpublished_at'>

export function publicationState({ status, unpublished_at }: Stated): PublicationState {
  if (unpublished_at !== null) return 'unpublished'
  return status === 'ready' ? 'public' : status
}

/** Checks whether pages are still being rendered, which includes publications that can already be read. */
export function isRendering(entry: Pick<LibraryEntry, 'status' | 'pages_ready' | 'page_count'>): boolean {
  return entry.status !== 'failed' && entry.pages_ready < entry.page_count
}
