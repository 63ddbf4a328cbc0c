export const ACTIVITY_TYPES = ['run', 'walk', 'bike', 'hike'] as const

export type ActivityType = (typeof ACTIVITY_TYPES)[number]
