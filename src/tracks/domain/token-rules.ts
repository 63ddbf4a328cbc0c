import { eventEndMs } from './event-dates.ts'
import { PARTICIPANT_PERMISSIONS, type Permission } from './permission.ts'

/** Length of the `user_id` of a track, in code points. */
export const MAX_USER_ID_LENGTH = 255

/** Returns what is wrong with the person of a token; undefined for nothing. Tracks can have the same values. */
export function userIdProblem(userId: string): string | undefined {
  if (userId === '') return 'A user_id must not be empty'
  if (userId.includes('\0')) return 'A user_id must not contain U+0000'
  if ([...userId].length > MAX_USER_ID_LENGTH) return `A user_id has at most ${MAX_USER_ID_LENGTH} characters`
  return undefined
}

const DAY_MS = 86_400_000

/**
 * Returns the end of a token for which none was chosen. That of one person ends with the last day of the event, and a
 * day from now at the earliest, so that one for an event that is over still brings in what its phone has kept. Others
 * have no end, and so have those of an event without a last day.
 */
export function defaultTokenEndMs(userId: string | null, lastDay: string | null, nowMs: number): number | null {
  const endMs = userId === null ? undefined : eventEndMs(lastDay)
  return endMs === undefined ? null : Math.max(endMs, nowMs + DAY_MS)
}

/** Returns the chosen end of a token, null for none; undefined if none was chosen. */
export function chosenTokenEndMs(
  { keep_sec: keepSec, never_expires: neverExpires }: { keep_sec?: number | null; never_expires?: boolean },
  nowMs: number,
): number | null | undefined {
  if (neverExpires === true) return null
  return keepSec == null ? undefined : nowMs + keepSec * 1000
}

/** Refuses a lifetime beside the choice of none. */
export function tokenLifetimeProblems({ keep_sec: keepSec, never_expires: neverExpires }: Record<string, unknown>) {
  const isWrong = keepSec != null && neverExpires === true
  return isWrong ? [{ path: 'keep_sec', message: 'must be absent with never_expires' }] : []
}

/** Returns what is wrong with the permissions of a token that is bound to a person; undefined for nothing. */
export function participantPermissionsProblem(permissions: readonly Permission[]): string | undefined {
  const denied = permissions.find((permission) => !PARTICIPANT_PERMISSIONS.includes(permission))
  return denied === undefined ? undefined : `A token of one person cannot have the permission ${denied}`
}
