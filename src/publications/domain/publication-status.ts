/** `processing` until enough pages are rendered to read; `failed` if no page could be rendered. */
export const PUBLICATION_STATUSES = ['processing', 'ready', 'failed'] as const
export type PublicationStatus = (typeof PUBLICATION_STATUSES)[number]
