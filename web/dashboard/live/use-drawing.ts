import type { MapLibreMap } from 'maplibre-gl'
import { useEffect, useRef } from 'react'
import type { SharedTrack } from '../../../src/tracks/schemas/track-summaries.ts'
import { type ColourOfTrack, clearTracks, drawTracks } from './live-layers.ts'
import type { LiveTracks } from './live-tracks.ts'

type Drawing = { tracks: LiveTracks<SharedTrack>; version: number; colourOf: ColourOfTrack }

/**
 * Draws what has changed, one update at a time: changes that come while the map processes an update are drawn together
 * after it. A map with a new style is empty and gets all tracks, and so does one with new colours.
 */
export function useDrawing(drawn: { map: MapLibreMap } | undefined, { tracks, version, colourOf }: Drawing): void {
  const filled = useRef<{ drawn: object; tracks: object; colourOf: ColourOfTrack; isBusy: boolean }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version tells that the tracks changed
  useEffect(() => {
    if (drawn === undefined) return
    const before = filled.current
    if (before?.drawn !== drawn || before.tracks !== tracks) {
      clearTracks(drawn.map)
      filled.current = { drawn, tracks, colourOf, isBusy: false }
    }
    if (before?.colourOf !== colourOf || filled.current !== before) {
      for (const id of tracks.byId.keys()) tracks.changed.add(id)
      filled.current!.colourOf = colourOf
    }
    void draw(drawn.map, filled.current!)

    async function draw(map: MapLibreMap, current: { isBusy: boolean; colourOf: ColourOfTrack }): Promise<void> {
      if (current.isBusy) return
      current.isBusy = true
      while (tracks.changed.size > 0 && filled.current === current) {
        const ids = [...tracks.changed]
        tracks.changed.clear()
        await drawTracks(map, tracks, ids, current.colourOf).catch(() => {})
      }
      current.isBusy = false
    }
  }, [drawn, tracks, version, colourOf])

  useEffect(
    () => () => {
      filled.current = undefined
    },
    [],
  )
}
