/** The activities of tracks, in the order of menus. */
export const ACTIVITIES = ['run', 'walk', 'bike', 'hike'] as const
