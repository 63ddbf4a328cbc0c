import { startOfDayMs } from '#platform/basics/time.ts'

/** The first and the last day of an event, in the form `2026-05-03`. */
type EventDates = { starts_on?: unknown; ends_on?: unknown }

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

const DAY_MS = 86_400_000

/**
 * Returns the time at which the last day of an event is over everywhere: in the westernmost zone, which is half a day
 * behind UTC. Undefined without a last day.
 */
export function eventEndMs(lastDay: string | null): number | undefined {
  const [, year, month, day] = DATE.exec(lastDay ?? '') ?? []
  const startMs = year === undefined ? undefined : startOfDayMs(Number(year), Number(month), Number(day))
  return startMs === undefined ? undefined : startMs + 1.5 * DAY_MS
}

/**
 * Refuses a date that no calendar has, such as `2026-02-30`. Text in another form is for the schema's pattern to
 * refuse.
 */
export function calendarDateProblem(text: string): string | undefined {
  return DATE.test(text) && !isCalendarDate(text) ? 'must be a date of the calendar' : undefined
}

/** Refuses a last day before the first. */
export function eventDatesProblems({ starts_on: first, ends_on: last }: EventDates) {
  const isWrong = isCalendarDate(first) && isCalendarDate(last) && last < first
  return isWrong ? [{ path: 'ends_on', message: 'must not be before starts_on' }] : []
}

function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const [, year, month, day] = DATE.exec(value) ?? []
  return year !== undefined && startOfDayMs(Number(year), Number(month), Number(day)) !== undefined
}

/** Refuses a text that is not the name of a time zone, such as `Europe/Atlantis`. */
export function timeZoneProblem(text: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return undefined
  } catch {
    return 'must be the name of a time zone, such as Europe/Paris'
  }
}

/**
 * Silence, in seconds, after which a track in progress is shown without a signal, unless its event says
 * otherwise: phones send every 5 to 30 seconds.
 */
export const DEFAULT_NO_SIGNAL_AFTER_SEC = 300
/** Charge, in per cent, at or below which a phone's battery is shown as low, unless the event says otherwise. */
export const DEFAULT_LOW_BATTERY_PERCENT = 15

/** The permissions of tokens: to send points, to read tracks, and to delete tracks and manage webhooks. */
export const PERMISSIONS = ['record', 'read', 'manage'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** The permissions of an event's first token, and of any other that is created without a choice. */
export const DEFAULT_PERMISSIONS: readonly Permission[] = ['record', 'read']

/** The permissions that a participant's token may have: a token in one person's pocket must not be able to delete. */
export const PARTICIPANT_PERMISSIONS: readonly Permission[] = ['record', 'read']

/** Length of the `user_id` of a track, in code points. */
export const MAX_USER_ID_LENGTH = 255

/** Returns the problem with the person of a token; undefined for none. Tracks can have the same values. */
export function userIdProblem(userId: string): string | undefined {
  if (userId === '') return 'A user_id must not be empty'
  if (userId.includes('\0')) return 'A user_id must not contain U+0000'
  if ([...userId].length > MAX_USER_ID_LENGTH) return `A user_id has at most ${MAX_USER_ID_LENGTH} characters`
  return undefined
}

/**
 * Returns the end of a token for which none was chosen. A person's token ends with the last day of the event, and a day
 * from now at the earliest, so that one for an event that is over still brings in the points on its phone. Others have
 * no end, nor have tokens of an event without a last day.
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

/** Returns the problem with the permissions of a token that is bound to a person; undefined for none. */
export function participantPermissionsProblem(permissions: readonly string[]): string | undefined {
  const denied = permissions.find((permission) => !PARTICIPANT_PERMISSIONS.some((one) => one === permission))
  return denied === undefined ? undefined : `A token of one person cannot have the permission ${denied}`
}

/**
 * Checks whether a token may be in an address or a code for a phone, which proxies log and people pass on: it records,
 * and reads no tracks of other people.
 */
export function isForPhones({
  permissions,
  user_id,
}: {
  permissions: readonly string[]
  user_id: string | null
}): boolean {
  return (
    permissions.includes('record') &&
    !permissions.includes('manage') &&
    (user_id !== null || !permissions.includes('read'))
  )
}
