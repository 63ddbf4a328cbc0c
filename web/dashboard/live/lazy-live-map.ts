import { type ComponentType, lazy } from 'react'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import type { LiveMapProps } from './live-map.tsx'

/**
 * The live map. The list next to it does not wait for its code, which is requested when both are shown: any earlier, it
 * would take the line from the tracks themselves.
 */
export const LazyLiveMap = lazy(async () => ({
  default: (await import('./live-map.tsx')).LiveMap as ComponentType<LiveMapProps<SharedTrack>>,
}))
