import { askForShare } from './early-data.ts'
import { refreshFirstView } from './first-view.ts'
import { keepPage } from './keep-page.ts'
import { readShare, type Share } from './share.ts'

type TabModule = { show(share: Share): Promise<void> }

/** A request that takes longer, without the answer's own length, is one on a slow line. */
const FAST_MS = 150

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
