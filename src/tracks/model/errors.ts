import { defineError } from '#platform/basics/errors.ts'

export const trackNotFound = defineError('NOT_FOUND', 404, 'Track not found.')
export const binnedThingNotFound = defineError('NOT_FOUND', 404, 'There is nothing with this id in the bin.')
export const deviceTrackIdTaken = defineError(
  'CONFLICT',
  409,
  'device_track_id is already in use; track_id names the track that uses it.',
)
export const tokenMissing = defineError(
  'UNAUTHORIZED',
  401,
  'An app token is required, as X-API-Key or Authorization: Bearer.',
)
export const tokenInvalid = defineError('UNAUTHORIZED', 401, 'The app token is invalid or has ended.')
export const permissionMissing = defineError(
  'FORBIDDEN',
  403,
  'The token does not have the permission for this request.',
)
export const tokenTooPowerful = defineError(
  'FORBIDDEN',
  403,
  'A token with the permission manage must not be in an address, because proxies log addresses. Use one that only records.',
)
export const participantToken = defineError(
  'FORBIDDEN',
  403,
  'The token of a participant opens their own tracks only, not the results of the event.',
)
export const eventNotFound = defineError('NOT_FOUND', 404, 'Event not found.')
export const tracksQuotaReached = defineError('FORBIDDEN', 403, 'The event has reached its limit of tracks.')
export const pointsQuotaReached = defineError('FORBIDDEN', 403, 'The event has reached its limit of points.')
export const trackFull = defineError('FORBIDDEN', 403, 'The track has reached its limit of points.')
export const pausesQuotaReached = defineError('FORBIDDEN', 403, 'The track has reached its limit of pauses.')
export const timestampFull = defineError(
  'FORBIDDEN',
  403,
  'The track has reached its limit of points with the same timestamp.',
)
export const exportImpossible = defineError('UNPROCESSABLE', 422, 'The format cannot hold this track.')
export const appTokenNotFound = defineError('NOT_FOUND', 404, 'App token not found.')
export const frameNotFound = defineError(
  'NOT_FOUND',
  404,
  'There is no such frame, or it is no longer kept. Read the newest one.',
)
export const shareNotFound = defineError('NOT_FOUND', 404, 'Share not found.')
export const shareEnded = defineError('GONE', 410, 'This share has ended.')
export const erasesTracks = defineError(
  'ERASES_TRACKS',
  409,
  'The change would erase tracks permanently. `tracks_count` is their number; send it as `accepted_erasures` to accept that.',
)
export const erasureNotFound = defineError('NOT_FOUND', 404, 'Receipt of an erasure not found.')
export const courseNotFound = defineError('NOT_FOUND', 404, 'The event has no course.')
export const runnerNotFound = defineError('NOT_FOUND', 404, 'Runner not found.')
export const courseMissing = defineError('CONFLICT', 409, 'The event has no course yet. Upload it first.')
export const startListMissing = defineError('CONFLICT', 409, 'The event has no start list yet. Add it first.')
export const rehearsalExists = defineError('CONFLICT', 409, 'The event has a rehearsal already. Remove it first.')
export const isRehearsal = defineError('CONFLICT', 409, 'The event is itself a rehearsal.')
export const rehearsalNotFound = defineError('NOT_FOUND', 404, 'The event has no rehearsal.')
export const checkpointOffCourse = defineError('CONFLICT', 409, 'The course does not pass all checkpoints.')
export const trackDamaged = defineError(
  'TRACK_DAMAGED',
  500,
  'Some stored points of this track are damaged and cannot be read.',
)
