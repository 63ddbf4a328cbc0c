import { defineError } from '#platform/errors.ts'

export const trackNotFound = defineError('NOT_FOUND', 404, 'Track not found.')
export const deviceTrackIdTaken = defineError(
  'CONFLICT',
  409,
  'device_track_id is already in use; track_id names the track that uses it.',
)
export const tokenMissing = defineError(
  'UNAUTHORIZED',
  401,
  'An app token is required, in the header X-API-Key or as Authorization: Bearer.',
)
export const tokenInvalid = defineError('UNAUTHORIZED', 401, 'The app token is not valid, or no longer.')
export const eventNotFound = defineError('NOT_FOUND', 404, 'Event not found.')
export const tracksQuotaReached = defineError('FORBIDDEN', 403, 'The event may have no more tracks.')
export const pointsQuotaReached = defineError('FORBIDDEN', 403, 'The event may have no more points.')
export const appTokenNotFound = defineError('NOT_FOUND', 404, 'The event has no such token.')
export const shareNotFound = defineError('NOT_FOUND', 404, 'There is no such shared address.')
export const shareEnded = defineError('GONE', 410, 'This address was shared for a time that is over.')
