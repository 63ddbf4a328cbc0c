import { keepPage } from './keep-page.ts'
import { askForShare, readShare, type Share } from './share.ts'

type TabModule = { show(share: Share): Promise<void> }

/** A request that takes longer, without the answer's own length, is one on a slow line. */
const FAST_MS = 150
/** Time from one state to the next. The server keeps a list of runners for as long. */
const NEXT_MS = 3000
/** Time until the first one. On slow 3G, the live view is there by then, and a state would only delay it. */
const FIRST_MS = 5000
/** From this round on, something keeps the live view from coming, and the page goes on more quietly. */
const QUIET_ROUND = 20
const QUIET_MS = 15_000

/** Loads the live view of the page's tab. */
async function loadTab({ tab, view }: Share): Promise<TabModule> {
  // On a fast line, the map does not wait for the list. On a slow one, it would take the line from it.
  if (tab === 'map' && view.kind === 'event' && isLineFast()) import('../dashboard/live/full-map.tsx').catch(() => {})
  if (tab === 'map') return view.kind === 'event' ? await import('./event-tab.tsx') : await import('./track-tab.tsx')
  if (tab === 'results') return await import('./results-tab.tsx')
  if (tab === 'replay') return await import('./replay-tab.tsx')
  throw new Error(`There is no tab ${tab}`)
}

/** Tells whether this script, which is small, has come at once. */
function isLineFast(): boolean {
  const [own] = performance.getEntriesByName(import.meta.url) as PerformanceResourceTiming[]
  return own !== undefined && own.duration < FAST_MS
}

// The page is complete without this script. Its requests start only now: the text came first.
const share = readShare()
refreshFirstView()
if (share.tab === 'map') askForShare(share)
const { show } = await loadTab(share)
await show(share)
keepPage()

/** Keeps the server's view up to date on a very slow line, until the live one is there. */
function refreshFirstView(): void {
  let round = 0
  const goOn = () => {
    setTimeout(async () => {
      if (document.getElementById('first') === null) return
      if (!document.hidden) await refresh().catch(() => {})
      goOn()
    }, pauseBefore(round++))
  }
  goOn()
}

function pauseBefore(round: number): number {
  if (round === 0) return FIRST_MS
  return round < QUIET_ROUND ? NEXT_MS : QUIET_MS
}

async function refresh(): Promise<void> {
  const { origin, pathname, search } = location
  const answer = await fetch(origin + pathname + search, { cache: 'no-store' })
  if (!answer.ok) return
  const text = await answer.text()
  // Not its head, whose style the browser would refuse, and say so.
  const next = new DOMParser().parseFromString(text.slice(text.indexOf('<main')), 'text/html')
  const first = document.getElementById('first')
  if (first !== null && getSelection()?.isCollapsed !== false) replaceAll(first, next)
}

/** Takes over a newer state. The link that loads the page again keeps the focus if it has it. */
function replaceAll(first: HTMLElement, next: Document): void {
  const newer = next.getElementById('first')
  if (newer === null) return
  const hadFocus = first.contains(document.activeElement)
  first.replaceChildren(...newer.childNodes)
  if (hadFocus) first.querySelector('a')?.focus()
}
