/**
 * The tracks that a request reaches: those of an event, or only those of one of its people. All others do not exist for
 * it.
 */
export type TrackScope = {
  eventId: string
  /** Null for the tracks of everyone. */
  userId: string | null
}

/** Returns the scope of all tracks of an event, for operators, and for spectators, whose share was checked. */
export function wholeEvent(eventId: string): TrackScope {
  return { eventId, userId: null }
}

/** Tells whether a track is in a scope. */
export function isInScope(
  track: { event_id: string; user_id: string | null },
  { eventId, userId }: TrackScope,
): boolean {
  return track.event_id === eventId && (userId === null || track.user_id === userId)
}
