/** A track that can be trimmed: the times of its first and last point, and of the part that is shown. */
type TrimmedTrack = {
  first_point_at: string | null
  last_point_at: string | null
  shown_from: string | null
  shown_until: string | null
}

/** The scale of the trim control: seconds from the first point on, in steps that a hand can set. */
export type TrimScale = { firstMs: number; spanSec: number; stepSec: number }

/** Returns the scale of a track; undefined for one without two points at different times. */
export function trimScale({ first_point_at, last_point_at }: TrimmedTrack): TrimScale | undefined {
  if (first_point_at === null || last_point_at === null) return undefined
  const firstMs = Date.parse(first_point_at)
  const spanSec = Math.ceil((Date.parse(last_point_at) - firstMs) / 1000)
  return spanSec < 2 ? undefined : { firstMs, spanSec, stepSec: stepOf(spanSec) }
}

/** Returns the shown part on the scale, from the first point to the last where nothing is trimmed. */
export function trimOf({ shown_from, shown_until }: TrimmedTrack, { firstMs, spanSec }: TrimScale): [number, number] {
  const secOf = (iso: string) => Math.min(spanSec, Math.max(0, Math.round((Date.parse(iso) - firstMs) / 1000)))
  return [shown_from === null ? 0 : secOf(shown_from), shown_until === null ? spanSec : secOf(shown_until)]
}

/** Converts a part of the scale into members of a request: null for an end that is not trimmed. */
export function shownPart([fromSec, untilSec]: readonly [number, number], { firstMs, spanSec }: TrimScale) {
  const timeOf = (sec: number) => new Date(firstMs + sec * 1000).toISOString()
  return {
    shown_from: fromSec <= 0 ? null : timeOf(fromSec),
    shown_until: untilSec >= spanSec ? null : timeOf(untilSec),
  }
}

/** Some hundred steps for a long track, and every second of a short one. */
function stepOf(spanSec: number): number {
  return [1, 5, 15, 30].find((step) => spanSec / step <= 1000) ?? 60
}
