import type { Fetch } from '../../clients/typescript/src/queue/exchange.ts'

/** A server as schedules use it: many at a time, each with a track of its own. */
export type ScheduleServer = {
  url: string
  fetch: Fetch
  tokens: {
    /** Two tokens of one event. */
    valid: readonly [string, string]
    /** A token of another event, which does not have the tracks. */
    foreign: string
    revoked: string
  }
}
