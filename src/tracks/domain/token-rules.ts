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

/** Returns what is wrong with the permissions of a token that is bound to a person; undefined for nothing. */
export function participantPermissionsProblem(permissions: readonly Permission[]): string | undefined {
  const denied = permissions.find((permission) => !PARTICIPANT_PERMISSIONS.includes(permission))
  return denied === undefined ? undefined : `A token of one person cannot have the permission ${denied}`
}
