import { lazy } from 'react'

/** The map of a track. The profile and the figures do not wait for its code. */
export const LazyTrackMap = lazy(async () => ({ default: (await import('./track-map.tsx')).TrackMap }))
