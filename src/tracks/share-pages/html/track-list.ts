import { type Html, html } from '#platform/http/server/html.ts'
import type { TrackState } from '../../domain/track-state.ts'
import type { ShownTrack, ShownTracks } from '../shown-tracks/shown-tracks.ts'
import { asOfLine } from './as-of-line.ts'
import type { TabPage } from './share-tab.ts'
import { figuresOf, lastSeen, stateBadge } from './track-parts.ts'

/** Under way first: that is whom one follows. */
const ORDER: readonly TrackState[] = ['running', 'paused', 'stopped']

/** Writes the tracks of an event, those in progress first, each with its state, figures and last position. */
export function trackList(page: TabPage, { tracks, count, asOfMs }: ShownTracks): Html {
  const { texts, formats } = page
  const compare = new Intl.Collator(texts.locale.replace('_', '-'), { numeric: true }).compare
  const sorted = [...tracks].sort(
    ({ track: a }, { track: b }) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || compare(a.title, b.title),
  )
  const isCut = count > tracks.length
  return html`<p class="sum">${isCut ? texts.more(formats.count(tracks.length), formats.count(count)) : sumOf(page, tracks)}</p>
${asOfLine(page, asOfMs)}
${
  tracks.length === 0
    ? html`<div class="empty"><h2>${texts.nothingYet}</h2><p>${texts.nothingYetHelp}</p></div>`
    : html`<ul class="runners" aria-label="${texts.runners}">
${sorted.map((shown) => entry(page, shown, asOfMs))}</ul>`
}`
}

function entry(page: TabPage, { track, position }: ShownTrack, nowMs: number): Html {
  const facts = [...figuresOf(page, track).map(({ value }) => value), ...lastSeen(page, track, position, nowMs)]
  return html`<li><span class="name">${track.title}</span> ${stateBadge(page, track, nowMs)}
<span class="facts">${facts.map((fact, at) => html`${at > 0 && ' · '}${fact}`)}</span></li>
`
}

/** Says how many are in which state. */
function sumOf({ texts, formats }: TabPage, tracks: readonly ShownTrack[]): string {
  return ORDER.flatMap((state) => {
    const count = tracks.filter(({ track }) => track.state === state).length
    return count === 0 ? [] : [texts.counted[state](count, formats.count(count))]
  }).join(' · ')
}
