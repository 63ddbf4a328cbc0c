import type { ComponentType } from 'react'
import { keepPage } from './keep-page.ts'
import { readShare, type Share, type TabProps } from './share.ts'

type TabModule = { Tab: ComponentType<TabProps> }

/** Loads the live view of the page's tab. */
async function loadTab({ tab, view }: Share): Promise<TabModule> {
  if (tab === 'map') return view.kind === 'event' ? await import('./event-tab.tsx') : await import('./track-tab.tsx')
  if (tab === 'results') return await import('./results-tab.tsx')
  if (tab === 'replay') return await import('./replay-tab.tsx')
  throw new Error(`There is no tab ${tab}`)
}

// The page is complete without this script. Its requests start only now: the text came first.
const share = readShare()
const [{ start }, { Tab }] = await Promise.all([import('./start.tsx'), loadTab(share)])
await start(share, Tab)
keepPage()
