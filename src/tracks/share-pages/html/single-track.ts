import { type Html, html } from '#platform/http/server/html.ts'
import type { SharedTrack } from '../../schemas/track-summaries.ts'
import type { Position, ShownTracks } from '../shown-tracks/shown-tracks.ts'
import { asOfLine } from './as-of-line.ts'
import type { TabPage } from './share-tab.ts'
import { figuresOf, lastSeen, stateBadge } from './track-parts.ts'

/** Writes one track: its state, its figures, and where it was last. */
export function singleTrack(page: TabPage, { tracks, asOfMs }: ShownTracks): Html {
  const [shown] = tracks
  if (shown === undefined) return html`<p>${page.texts.nothingYet}</p>`
  const { track, position } = shown
  return html`<p class="sum">${stateBadge(page, track, asOfMs)}</p>
${asOfLine(page, asOfMs)}
<dl class="figures">
${rowsOf(page, track, position, asOfMs).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`
}

type Row = [name: string, value: string | Html]

function rowsOf(page: TabPage, track: SharedTrack, position: Position | undefined, nowMs: number): Row[] {
  const { texts, formats } = page
  const { stats } = track
  const startMs = Date.parse(track.start_ts)
  const rows: Row[] = figuresOf(page, track).map(({ name, value }) => [name, value])
  if (stats !== null && rows.length > 0) {
    rows.push([texts.rate, formats.rate(track.activity_type, stats.mean_speed_mps)])
    if (stats.elevation_gain_m > 0) rows.push([texts.climb, formats.meters(stats.elevation_gain_m)])
  }
  rows.push([texts.start, `${formats.dateTime(startMs)} (${formats.zone(startMs)})`])
  const seen = lastSeen(page, track, position, nowMs)
  rows.push([texts.lastPosition, html`${seen.map((piece, at) => html`${at > 0 && ' · '}${piece}`)}`])
  return rows
}
