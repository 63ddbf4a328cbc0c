/** Types of the messages about publications that webhooks get. */
export const PUBLICATION_EVENTS = [
  'publication.ready',
  'publication.failed',
  'publication.unpublished',
  'publication.deleted',
] as const
