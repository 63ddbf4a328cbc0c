import { Html, html, htmlDocument } from '#platform/pages/html.ts'
import type { SharedTrack } from '../api/operator-track-schemas.ts'
import type { PhoneLinks, PhoneSystem } from '../phones/phone-links.ts'
import type { RankingEntry } from '../race/result-schemas.ts'
import { rankedPassing } from '../race/runner-state.ts'
import { languageLinks, pageHead, readStyle } from './share-page.ts'
import type { Formats, PageTranslate } from './texts.ts'

/** The person whose code was opened, with their recordings. */
export type PageRunner = {
  name: string
  /** Newest first; empty also for a code that may not read. */
  tracks: readonly SharedTrack[]
  /** Time of the last point of the newest track, and the charge that the phone told with it, in percent. */
  lastPointMs: number | undefined
  batteryPercent: number | undefined
  /** The person's own line of the ranking. */
  entry: RankingEntry | undefined
  /** Address that downloads a track. */
  fileOf(trackId: string): string
}

/** Everything of the page of a code. */
type RunnerPage = {
  language: string
  chosenLanguage: string | undefined
  t: PageTranslate
  formats: Formats
  nonce: string
  nowMs: number
  /** Path of the page. */
  address: string
  eventName: string
  days: string | undefined
  noSignalAfterSec: number
  apps: readonly PhoneLinks[]
  /** The system of the phone that asks; undefined for others. */
  system: PhoneSystem | undefined
  /** Undefined for the code of an event, which belongs to nobody. */
  runner: PageRunner | undefined
  /** Time at which the data of the person will be erased; undefined unless they have asked for it. */
  erasedMs: number | undefined
  /** Address where others follow; undefined if the event is not shared. */
  followAddress: string | undefined
}

/** Writes the page of a code: set-up of the apps, and the server's data about its person. Complete without scripts. */
export function runnerPageHtml(page: RunnerPage): string {
  const { language, t, nonce, runner, eventName, days } = page
  const title = runner === undefined ? t('runner.eventCode') : runner.name
  const about = [eventName, days].filter((part) => part !== undefined).join(' · ')
  const state = runner === undefined ? undefined : stateOf(page, runner)
  const body = html`<body class="runner">
<a class="skip" href="#content">${t('skip')}</a>
<header><div class="title"><p dir="auto">${about}</p><h1 dir="auto">${title}</h1></div></header>
<main id="content" tabindex="-1">
${state === undefined ? html`<p class="note">${t('runner.eventCodeHelp')}</p>\n` : stateSection(page, state)}
${runner !== undefined && runner.tracks.length > 0 && ownSection(page, runner)}
${setUpSection(page, state?.isKnown ?? false)}
${followSection(page)}
${runner !== undefined && dataSection(page)}
</main>
<footer><span>Trackpress</span>${languageLinks(language, (lang) => `${page.address}?lang=${lang}`)}</footer>
${runner !== undefined && html`<script nonce="${nonce}">${REFRESH}</script>\n`}</body>`
  return htmlDocument(
    language,
    pageHead({ title: `${title} · ${eventName}`, nonce, metaValues: {}, style: STYLE }),
    body,
  )
}

/** The style of the pages of codes. */
export const STYLE = readStyle('runner-page.css')

/** Reads the page again from time to time while it is visible, and takes over the changes. */
const REFRESH = new Html(`
const PARTS = ['headline', 'heard', 'own']
async function refresh() {
  if (document.hidden) return
  try {
    const answer = await fetch(location.href, { cache: 'no-store' })
    if (!answer.ok) return
    const next = new DOMParser().parseFromString((await answer.text()).replace(/^[^]*?(?=<body)/, ''), 'text/html')
    for (const id of PARTS) {
      const [here, there] = [document.getElementById(id), next.getElementById(id)]
      if (here === null && there !== null && id === 'own') document.getElementById('state').after(there)
      else if (here !== null && there !== null && here.innerHTML !== there.innerHTML) here.innerHTML = there.innerHTML
    }
  } catch {}
}
const goOn = () => setTimeout(() => refresh().then(goOn), 15000)
goOn()
document.addEventListener('visibilitychange', refresh)
`)

type ShownState = { headline: string; help: string; kind: 'running' | 'paused' | 'silent' | 'none'; isKnown: boolean }

/** Says how things stand with the newest track. */
function stateOf(page: RunnerPage, { tracks, lastPointMs, batteryPercent, entry }: PageRunner): ShownState {
  const { t, formats, nowMs, noSignalAfterSec } = page
  const [track] = tracks
  if (track === undefined || lastPointMs === undefined)
    return { headline: t('runner.notYet'), help: t('runner.notYetHelp'), kind: 'none', isKnown: false }
  const ageSec = Math.max(0, (nowMs - lastPointMs) / 1000)
  const heard = [
    t('runner.heard', { ago: formats.secondsAgo(ageSec), time: formats.time(lastPointMs, nowMs) }),
    ...(batteryPercent === undefined ? [] : [t('runner.battery', { percent: formats.count(batteryPercent) })]),
  ].join(' · ')
  if (entry?.state === 'finished') return { headline: t('runner.arrived'), help: heard, kind: 'none', isKnown: true }
  if (track.state === 'stopped') return { headline: t('runner.over'), help: heard, kind: 'none', isKnown: true }
  if (ageSec > noSignalAfterSec)
    return { headline: t('runner.silent'), help: `${heard}. ${t('runner.silentHelp')}`, kind: 'silent', isKnown: true }
  if (track.state === 'paused') return { headline: t('runner.paused'), help: heard, kind: 'paused', isKnown: true }
  return { headline: t('runner.onMap'), help: heard, kind: 'running', isKnown: true }
}

function stateSection({ t }: RunnerPage, { headline, help, kind }: ShownState): Html {
  return html`<section id="state" class="card" aria-labelledby="headline">
<h2 id="headline" aria-live="polite"><span class="badge ${kind}"></span>${headline}</h2>
<p id="heard">${help}</p>
<noscript><p><a href="">${t('reload')}</a></p></noscript>
</section>`
}

/** Writes the result and the tracks of the person. */
function ownSection(page: RunnerPage, { tracks, entry, fileOf }: PageRunner): Html {
  const { t, formats } = page
  const rows = entry === undefined ? [] : resultRows(page, entry)
  return html`<section id="own" class="card">
${
  rows.length > 0 &&
  html`<h2>${t('runner.result')}</h2>
<dl class="figures">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
`
}<h2>${t('runner.tracks', { count: tracks.length })}</h2>
<ul class="tracks">${tracks.map(({ id, start_ts, stats, points_count }) => {
    const facts = [
      formats.dateTime(Date.parse(start_ts)),
      ...(points_count === 0 ? [t('noPoints')] : []),
      // Shortly after the first points, there are no figures yet.
      ...(stats === null || points_count === 0
        ? []
        : [formats.distance(stats.distance_meters), formats.duration(stats.duration_sec)]),
    ]
    return html`<li>${facts.join(' · ')} <a href="${fileOf(id)}" download>${t('runner.file')}</a></li>\n`
  })}</ul>
</section>`
}

function resultRows({ t, formats }: RunnerPage, entry: RankingEntry): [name: string, value: string][] {
  const { status, state, rank, category, category_rank, last_checkpoint, distance_to_go_m, finish_sec, gap_sec } = entry
  const sec = finish_sec ?? rankedPassing(entry)?.elapsed_sec ?? null
  const stage = status !== null ? t(`statuses.${status}`) : (last_checkpoint?.name ?? t(`stages.${state}`))
  const isUnderWay = status === null && state === 'running'
  return [
    ...(rank === null ? [] : [[t('place'), formats.count(rank)] as [string, string]]),
    ...(category === null || category_rank === null
      ? []
      : [[t('category'), `${category} · ${formats.count(category_rank)}`] as [string, string]]),
    [t('lastCheckpoint'), stage],
    ...(sec === null ? [] : [[t('time'), formats.duration(sec)] as [string, string]]),
    ...otherTime(entry).map(([name, other]) => [t(name), formats.duration(other)] as [string, string]),
    ...(gap_sec === null || gap_sec === 0 ? [] : [[t('gap'), `+${formats.duration(gap_sec)}`] as [string, string]]),
    ...(isUnderWay ? [[t('runner.toGo'), formats.distance(distance_to_go_m)] as [string, string]] : []),
  ]
}

/** Returns the time at the finish that does not count, where there are two that differ. */
function otherTime({ finish_sec, gun_sec, net_sec }: RankingEntry): ['gunTime' | 'netTime', sec: number][] {
  if (finish_sec === null || gun_sec === null || net_sec === null || gun_sec === net_sec) return []
  return [finish_sec === gun_sec ? ['netTime', net_sec] : ['gunTime', gun_sec]]
}

/** Writes the set-up of each app: apps for the phone that asks are open, others are folded away. */
function setUpSection(page: RunnerPage, isSetUp: boolean): Html {
  const { t, apps, system } = page
  const fitting = apps.filter(({ systems }) => system === undefined || systems.includes(system))
  const others = apps.filter((app) => !fitting.includes(app))
  return html`<section aria-labelledby="set-up-title">
<details class="set-up"${!isSetUp && OPEN}>
<summary><h2 id="set-up-title">${t('runner.setUp')}</h2></summary>
<p>${t('runner.setUpHelp')}</p>
<ul class="apps">${fitting.map((app) => appCard(page, app))}</ul>
${
  others.length > 0 &&
  html`<details><summary>${t(system === 'ios' ? 'runner.forAndroid' : 'runner.forIos')}</summary>
<ul class="apps">${others.map((app) => appCard(page, app))}</ul>
</details>
`
}</details>
</section>`
}

/** Attribute of a part that is shown at once. */
const OPEN = new Html(' open')

const SYSTEMS: Record<PhoneSystem, string> = { android: 'Android', ios: 'iOS' }

/** Apps whose second step says more with the code of an event: each phone needs a name. */
const NAMED_BY_HAND = ['osmand', 'owntracks']

function appCard({ t, runner }: RunnerPage, { name, title, systems, address, setupLink }: PhoneLinks): Html {
  const second = runner === undefined && NAMED_BY_HAND.includes(name) ? `runner.${name}2Named` : `runner.${name}2`
  const steps = [`runner.${name}1`, second, `runner.${name}3`] as Parameters<PageTranslate>[0][]
  return html`<li class="card"><h3>${title} <small>${systems.map((one) => SYSTEMS[one]).join(', ')}</small></h3>
<ol>${steps.map((step) => html`<li>${t(step)}</li>\n`)}</ol>
${setupLink !== undefined && html`<p><a class="button" href="${setupLink}">${t('runner.setUpApp', { app: title })}</a></p>\n`}<p class="address"><span>${t('runner.address')}</span> <code>${address}</code></p>
</li>
`
}

function followSection({ t, followAddress }: RunnerPage): Html | undefined {
  if (followAddress === undefined) return undefined
  return html`<section class="card"><h2>${t('runner.follow')}</h2>
<p>${t('runner.followHelp')}</p>
<p><a class="button plain" href="${followAddress}">${t('runner.followLink')}</a></p>
</section>`
}

function dataSection({ t, address, chosenLanguage, erasedMs, formats }: RunnerPage): Html {
  const erasure = `${address}/erasure${chosenLanguage === undefined ? '' : `?lang=${chosenLanguage}`}`
  const isAsked = erasedMs !== undefined
  return html`<section class="card"><h2>${t('runner.data')}</h2>
<p>${isAsked ? t('erasure.date', { time: formats.dateTime(erasedMs) }) : t('runner.dataHelp')}</p>
<p><a href="${erasure}">${t(isAsked ? 'erasure.keep' : 'runner.erase')}</a></p>
<p>${t('runner.secret')}</p>
</section>`
}
