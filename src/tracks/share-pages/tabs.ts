import { formatDateTime } from '#platform/basics/time.ts'
import { type Html, html } from '#platform/pages/html.ts'
import type { SharedTrack } from '../api/operator-track-schemas.ts'
import { coursePicture, createCoursePlans } from '../race/course-picture.ts'
import { type RaceDeps, sharedRanking } from '../race/race-boards.ts'
import type { RankingEntry } from '../race/result-schemas.ts'
import { type MarkedEntry, markRunners, type RunnerState, rankedPassing, runnerState } from '../race/runner-state.ts'
import type { ShareTab, TabPage } from './share-page.ts'
import type { FindShownTracks, Position, ShownTrack, ShownTracks } from './shown-tracks.ts'
import type { PageTranslate } from './texts.ts'

/** Creates the first tab: the runners with their last positions, which the script replaces by the live map. */
export function mapTab(deps: RaceDeps, findShownTracks: FindShownTracks): ShareTab {
  const findPlan = createCoursePlans(deps)
  return {
    name: 'map',
    path: '',
    isOffered: async () => true,
    async content(page) {
      const shown = await findShownTracks(page.share)
      if (page.share.track_id !== null) return singleTrack(page, shown)
      const places = await placesIn(deps, page)
      const picture = coursePicture(page.t('picture'), await findPlan(page.share.event_id), drawn(page, shown, places))
      return html`${picture}${trackList(page, shown, places)}`
    },
  }
}

/** Lines of a ranking by their tracks. */
type Places = ReadonlyMap<string, MarkedEntry<RankingEntry>>

/** Returns where each runner is in the race; nothing for an event without one. */
async function placesIn(deps: RaceDeps, { share }: TabPage): Promise<Places> {
  if (!(await hasRace(deps, share.event_id))) return new Map()
  const { entries } = await sharedRanking(deps, share)
  const placed = markRunners(entries).filter(({ isRunner, state }) => isRunner || state === 'finished')
  return new Map(placed.flatMap((entry) => (entry.track_id === null ? [] : [[entry.track_id, entry]])))
}

async function hasRace({ races }: RaceDeps, eventId: string): Promise<boolean> {
  return (await races.findSummary(eventId)).course_length_m !== null
}

/** Writes one track: its state, its figures, and where it was last. */
function singleTrack(page: TabPage, { tracks, asOfMs }: ShownTracks): Html {
  const [shown] = tracks
  if (shown === undefined) return html`<p>${page.t('nothingYet')}</p>`
  const { track, position } = shown
  return html`<p class="sum">${stateBadge(page, track, asOfMs)}</p>
${asOfLine(page, asOfMs)}
<dl class="figures">
${rowsOf(page, track, position, asOfMs).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`
}

type Row = [name: string, value: string | Html]

function rowsOf(page: TabPage, track: SharedTrack, position: Position | undefined, nowMs: number): Row[] {
  const { t, formats } = page
  const { stats } = track
  const startMs = Date.parse(track.start_ts)
  const rows: Row[] = figuresOf(page, track).map(({ name, value }) => [name, value])
  if (stats !== null && rows.length > 0) {
    rows.push([t('rate'), formats.rate(track.activity_type, stats.mean_speed_mps)])
    if (stats.elevation_gain_m > 0)
      rows.push([t('climb'), formats.climb(stats.elevation_gain_m, stats.elevation_gain_interval_m)])
    if (stats.elevation_loss_m > 0)
      rows.push([t('descent'), formats.climb(stats.elevation_loss_m, stats.elevation_loss_interval_m)])
  }
  rows.push([t('start'), `${formats.dateTime(startMs)} (${formats.zone(startMs)})`])
  const seen = lastSeen(page, track, position, nowMs)
  rows.push([t('lastPosition'), html`${seen.map((piece, at) => html`${at > 0 && ' · '}${piece}`)}`])
  return rows
}

/** Under way first: that is whom one follows. */
const ORDER: readonly RunnerState[] = ['running', 'paused', 'stopped', 'ended']

function stateIn(places: Places, { id, state }: SharedTrack): RunnerState {
  return runnerState(state, places.get(id))
}

/** Returns the runners by the look of their dots: their state, or their silence. */
function drawn(page: TabPage, { tracks, asOfMs }: ShownTracks, places: Places) {
  const looks = [...ORDER.toReversed(), 'silent'] as const
  const lookOf = ({ track }: ShownTrack) => {
    const state = stateIn(places, track)
    return isSilent(page, track, asOfMs, state) ? 'silent' : state
  }
  return looks.flatMap((look) => {
    const positions = tracks.flatMap((shown) => (lookOf(shown) === look ? (shown.position ?? []) : []))
    return positions.length === 0 ? [] : [{ look, positions }]
  })
}

function isSilent({ view }: TabPage, track: SharedTrack, nowMs: number, state: RunnerState): boolean {
  return state === 'running' && nowMs - heardMsOf(track) > view.event.no_signal_after_sec * 1000
}

function heardMsOf({ last_point_at, start_ts }: SharedTrack): number {
  return Date.parse(last_point_at ?? start_ts)
}

/**
 * Writes the tracks of an event, each with its state, figures and last position: those in progress first, and in a race
 * by their places, without the coordinates.
 */
function trackList(page: TabPage, { tracks, count, asOfMs }: ShownTracks, places: Places): Html {
  const { t, formats } = page
  const compare = new Intl.Collator(t('locale'), { numeric: true }).compare
  const orderOf = (track: SharedTrack) => ORDER.indexOf(stateIn(places, track))
  const rankOf = ({ id }: SharedTrack) => places.get(id)?.rank ?? Number.MAX_SAFE_INTEGER
  const sorted = [...tracks].sort(
    ({ track: a }, { track: b }) => orderOf(a) - orderOf(b) || rankOf(a) - rankOf(b) || compare(a.name, b.name),
  )
  const isCut = count > tracks.length
  return html`<p class="sum">${isCut ? t('more', { shown: formats.count(tracks.length), total: formats.count(count) }) : sumOf(page, tracks, places)}</p>
${asOfLine(page, asOfMs)}
${
  tracks.length === 0
    ? html`<div class="empty"><h2>${t('nothingYet')}</h2><p>${t('nothingYetHelp')}</p></div>`
    : html`<ul class="runners" aria-label="${t('runners')}">
${sorted.map((shown) => entry(page, shown, asOfMs, places))}</ul>`
}`
}

function entry(page: TabPage, { track, position }: ShownTrack, nowMs: number, places: Places): Html {
  const place = places.get(track.id)
  const facts =
    place === undefined
      ? [...figuresOf(page, track).map(({ value }) => value), ...lastSeen(page, track, position, nowMs)]
      : [...placeFacts(page, place), ...lastSeen(page, track, undefined, nowMs)]
  return html`<li><span class="name">${page.formats.trackName(track.name, track.start_ts)}</span> ${stateBadge(page, track, nowMs, stateIn(places, track))}
<span class="facts">${facts.map((fact, at) => html`${at > 0 && ' · '}${fact}`)}</span></li>
`
}

/** Returns the place in the race, the checkpoint passed last, and the time there. */
function placeFacts({ t, formats }: TabPage, runner: RankingEntry): string[] {
  const { rank, status, last_checkpoint, finish_sec } = runner
  const sec = finish_sec ?? rankedPassing(runner)?.elapsed_sec ?? null
  return [
    ...(rank === null ? [] : [`${t('place')} ${formats.count(rank)}`]),
    ...(status === null ? [] : [t(`statuses.${status}`)]),
    ...(last_checkpoint === null || finish_sec !== null ? [] : [last_checkpoint.name]),
    ...(sec === null ? [] : [formats.duration(sec)]),
  ]
}

/** Says how many are in which state. */
function sumOf({ t, formats }: TabPage, tracks: readonly ShownTrack[], places: Places): string {
  return ORDER.flatMap((state) => {
    const count = tracks.filter(({ track }) => stateIn(places, track) === state).length
    return count === 0 ? [] : [t(`counted.${state}`, { count, figure: formats.count(count) })]
  }).join(' · ')
}

type Figure = { name: string; value: string }

/** Writes the state of a track; silence is told instead of a progress that nobody knows of. A pause may be silent. */
function stateBadge(page: TabPage, track: SharedTrack, nowMs: number, state: RunnerState = track.state): Html {
  const { t, formats } = page
  if (isSilent(page, track, nowMs, state))
    return html`<span class="badge silent">${t('noSignal', { since: formats.time(heardMsOf(track), nowMs) })}</span>`
  return html`<span class="badge ${state}">${t(`state.${state}`)}</span>`
}

/** Returns distance and time of a track; nothing before its statistics are known. */
function figuresOf({ t, formats }: TabPage, { stats, points_count }: SharedTrack): Figure[] {
  if (stats === null || points_count === 0) return []
  return [
    { name: t('distance'), value: formats.distance(stats.distance_meters) },
    { name: t('time'), value: formats.duration(stats.duration_sec) },
  ]
}

/** Returns where and when a track was last, as pieces of a line. */
function lastSeen(
  { t, formats }: TabPage,
  { last_point_at }: SharedTrack,
  position: Position | undefined,
  nowMs: number,
): (Html | string)[] {
  if (last_point_at === null) return [t('noPoints')]
  const heardMs = Date.parse(last_point_at)
  const time = formats.time(heardMs, nowMs)
  const ago = formats.ago((nowMs - heardMs) / 1000)
  const age = html`<time datetime="${last_point_at}">${ago === undefined ? t('justNow') : `${ago} (${time})`}</time>`
  if (position === undefined) return [age]
  return [html`<span class="position">${formats.position(position.latitude, position.longitude)}</span>`, age]
}

/** Rows of the table; the script shows all of them, and so does the CSV file. */
const MAX_ROWS = 200

/** Creates the tab with the ranking of an event that has a course, as a table. */
export function resultsTab(deps: RaceDeps): ShareTab {
  return {
    name: 'results',
    path: '/results',
    async isOffered({ event_id, track_id }) {
      return track_id === null && (await hasRace(deps, event_id))
    },
    async content(page) {
      const ranking = await sharedRanking(deps, page.share)
      const { t, formats } = page
      const heads = [t('place'), t('bib'), t('name'), t('category'), t('lastCheckpoint'), t('time'), t('gap')]
      const { entries } = ranking
      return html`${asOfLine(page, Date.parse(ranking.as_of))}
${ranking.race_starts_at !== null && html`<p>${t(`basis.${ranking.time_basis}`)}</p>`}
${entries.length > MAX_ROWS && html`<p>${t('firstOf', { shown: formats.count(MAX_ROWS), total: formats.count(entries.length) })}</p>`}
<div class="results" role="region" aria-label="${t('tabs.results')}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${entries.slice(0, MAX_ROWS).map((entry) => row(page, entry))}</tbody>
</table></div>`
    },
  }
}

function row({ t, formats }: TabPage, entry: RankingEntry): Html {
  const { rank, bib, name, category, status, state, last_checkpoint, gap_sec } = entry
  const last = rankedPassing(entry)
  const sec = entry.finish_sec ?? last?.elapsed_sec ?? null
  const stop = last?.source === 'stop' ? [t('stopNear', { distance: formats.meters(last.away_m ?? 0) })] : []
  const stage = status !== null ? t(`statuses.${status}`) : (last_checkpoint?.name ?? t(`stages.${state}`))
  const cells = [
    bib ?? '–',
    html`<span dir="auto">${formats.trackName(name)}</span>`,
    category ?? '–',
    stage,
    sec === null ? '–' : [formats.duration(sec), ...stop].join(' · '),
    gap_sec === null || gap_sec === 0 ? '–' : `+${formats.duration(gap_sec)}`,
  ]
  return html`<tr><td>${rank === null ? '–' : formats.count(rank)}</td>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`
}

/**
 * Creates the tab in which the script plays a shared event again. Motion cannot be told as HTML, and the results can.
 */
export function replayTab(): ShareTab {
  return {
    name: 'replay',
    path: '/replay',
    isOffered: async ({ track_id }) => track_id === null,
    content: async ({ t }) => html`<p>${t('replayFollows')}</p><noscript><p>${t('replayHelp')}</p></noscript>`,
  }
}

/** Writes the time of the state that is shown, in the event's zone, with a link that reloads it. */
function asOfLine({ t, formats, view }: TabPage, asOfMs: number): Html {
  const delaySec = view.event.spectator_delay_sec
  const delay = delaySec > 0 ? html` <span class="delay">${delayText(t, delaySec)}</span>` : ''
  const time = formats.time(asOfMs, asOfMs)
  return html`<p class="as-of"><time datetime="${formatDateTime(asOfMs)}">${t('asOf', { time, zone: formats.zone(asOfMs) })}</time>${delay} <a href="">${t('reload')}</a></p>`
}

function delayText(t: PageTranslate, sec: number): string {
  return sec < 60 ? t('delayedSeconds', { seconds: sec }) : t('delayedMinutes', { minutes: Math.round(sec / 60) })
}
