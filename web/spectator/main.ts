import { askEarly } from './early-data.ts'
import { refreshFirstView } from './first-view.ts'
import { keepPage } from './keep-page.ts'
import { readShare, type Share } from './share.ts'

type TabModule = { show(share: Share): Promise<void> }

/** Loads the live view of the page's tab. */
async function loadTab({ tab, view }: Share): Promise<TabModule> {
  if (tab === 'map') return view.kind === 'event' ? await import('./event-tab.tsx') : await import('./track-tab.tsx')
  if (tab === 'results') return await import('./results-tab.tsx')
  if (tab === 'replay') return await import('./replay-tab.tsx')
  throw new Error(`There is no tab ${tab}`)
}

// The page is complete without this script. Its requests start only now: the text came first.
const share = readShare()
refreshFirstView()
if (share.tab === 'map') askEarly(share)
const { show } = await loadTab(share)
await show(share)
keepPage()
