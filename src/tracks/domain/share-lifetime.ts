import { eventEndMs } from './event-dates.ts'

const DAY_MS = 86_400_000

/** Shortest default, in days. Long enough for an event that is announced some weeks before. */
export const DEFAULT_SHARE_DAYS = 30

/** Days after the last day of an event for which its links work, in which most people look at results. */
export const DAYS_AFTER_EVENT = 7

/**
 * Returns the end of a share for which none was chosen: 30 days from now, or 7 days after the last day of its event,
 * whichever is later. A link that is forgotten then ends by itself, and never before people have looked at the event.
 */
export function defaultShareEndMs(lastDay: string | null, nowMs: number): number {
  const afterDays = nowMs + DEFAULT_SHARE_DAYS * DAY_MS
  const endMs = eventEndMs(lastDay)
  return endMs === undefined ? afterDays : Math.max(afterDays, endMs + DAYS_AFTER_EVENT * DAY_MS)
}
