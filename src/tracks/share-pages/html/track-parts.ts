import { type Html, html } from '#platform/http/server/html.ts'
import type { SharedTrack } from '../../schemas/track-summaries.ts'
import type { Position } from '../shown-tracks/shown-tracks.ts'
import type { TabPage } from './share-tab.ts'

type Figure = { name: string; value: string }

/** Writes the state of a track; silence is told instead of a progress that nobody knows of. A pause may be silent. */
export function stateBadge(page: TabPage, track: SharedTrack, nowMs: number): Html {
  const { texts, formats, view } = page
  const heardMs = Date.parse(track.last_point_at ?? track.start_ts)
  if (track.state === 'running' && nowMs - heardMs > view.event.no_signal_after_sec * 1000)
    return html`<span class="badge silent">${texts.noSignal(formats.time(heardMs, nowMs))}</span>`
  return html`<span class="badge ${track.state}">${texts.state[track.state]}</span>`
}

/** Returns distance and time of a track; nothing before its statistics are known. */
export function figuresOf({ texts, formats }: TabPage, { stats, points_count }: SharedTrack): Figure[] {
  if (stats === null || points_count === 0) return []
  return [
    { name: texts.distance, value: formats.distance(stats.distance_meters) },
    { name: texts.time, value: formats.duration(stats.duration_sec) },
  ]
}

/** Returns where and when a track was last, as pieces of a line. */
export function lastSeen(
  { texts, formats }: TabPage,
  { last_point_at }: SharedTrack,
  position: Position | undefined,
  nowMs: number,
): (Html | string)[] {
  if (last_point_at === null) return [texts.noPoints]
  const heardMs = Date.parse(last_point_at)
  const time = formats.time(heardMs, nowMs)
  const ago = formats.ago((nowMs - heardMs) / 1000)
  const age = html`<time datetime="${last_point_at}">${ago === undefined ? texts.justNow : `${ago} (${time})`}</time>`
  if (position === undefined) return [age]
  return [html`<span class="position">${formats.position(position.latitude, position.longitude)}</span>`, age]
}
