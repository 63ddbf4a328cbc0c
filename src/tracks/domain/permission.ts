/** The permissions of tokens: to send points, to read tracks, and to delete tracks and manage webhooks. */
export const PERMISSIONS = ['record', 'read', 'manage'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** The permissions of an event's first token, and of any other that is created without a choice. */
export const DEFAULT_PERMISSIONS: readonly Permission[] = ['record', 'read']

/** The permissions that a participant's token may have: what one person carries must not be able to delete. */
export const PARTICIPANT_PERMISSIONS: readonly Permission[] = ['record', 'read']
