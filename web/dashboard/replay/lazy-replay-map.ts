import { lazy } from 'react'

/** The map of a replay. The list of the runners does not wait for its code. */
export const LazyReplayMap = lazy(async () => ({ default: (await import('./replay-map.tsx')).ReplayMap }))
