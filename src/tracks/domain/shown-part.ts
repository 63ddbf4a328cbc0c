/** The part of a track that is shown, in milliseconds since 1970; both ends belong to it. */
export type ShownPart = { fromMs: number; untilMs: number }

/** A part that is the whole track. */
export const WHOLE_TRACK: ShownPart = { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.POSITIVE_INFINITY }

/** Returns the part of a track that is shown, as the operator trimmed it; null is an open end. */
export function shownPartOf(row: { shown_from_ms: number | null; shown_until_ms: number | null }): ShownPart {
  return {
    fromMs: row.shown_from_ms ?? WHOLE_TRACK.fromMs,
    untilMs: row.shown_until_ms ?? WHOLE_TRACK.untilMs,
  }
}

/** Returns true if an end is trimmed. */
export function isTrimmed({ fromMs, untilMs }: ShownPart): boolean {
  return fromMs !== WHOLE_TRACK.fromMs || untilMs !== WHOLE_TRACK.untilMs
}

/** Refuses a part that ends before it begins. Null is an open end. */
export function shownPartProblems(fromMs: number | null | undefined, untilMs: number | null | undefined) {
  const isWrong = typeof fromMs === 'number' && typeof untilMs === 'number' && untilMs <= fromMs
  return isWrong ? [{ path: 'shown_until', message: 'must be after shown_from' }] : []
}
