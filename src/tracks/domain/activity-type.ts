import type { ACTIVITY_TYPES } from '../schemas/track.ts'

/** `run`, `walk`, `bike` or `hike`. */
export type ActivityType = (typeof ACTIVITY_TYPES)[number]
