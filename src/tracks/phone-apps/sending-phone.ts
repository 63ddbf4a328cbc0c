import { hash } from 'node:crypto'
import { badRequest } from '#platform/errors.ts'
import type { TrackScope } from '../storage/track-scope.ts'

/** Longest `user_id` of a track, in characters. */
const MAX_USER_ID_LENGTH = 255

/** A device that sends points with a token, and the app on it. */
export type SendingPhone = TrackScope & {
  app: string
  /** The device's own id, shortened to what a `user_id` may have; empty without one. */
  deviceId: string
  /** Digest of the person and the whole id. */
  deviceKey: string
}

/**
 * Returns the device of points. A token of one person needs no id of the device.
 * @throws badRequest if neither the token nor the app says whose points these are
 */
export function sendingPhone({ eventId, userId }: TrackScope, app: string, deviceId = ''): SendingPhone {
  if (userId === null && deviceId === '') throw deviceUnknown()
  return {
    eventId,
    userId,
    app,
    deviceId: [...deviceId].slice(0, MAX_USER_ID_LENGTH).join(''),
    deviceKey: hash('sha256', JSON.stringify([userId, deviceId]), 'hex'),
  }
}

function deviceUnknown() {
  return badRequest({
    detail:
      'Set an id of the device in the app, or use the token of a participant: all phones without an id look alike.',
  })
}
