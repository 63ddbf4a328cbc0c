import type { ComponentType } from 'react'
import type { Share, TabProps } from './share.ts'

type TabModule = { Tab: ComponentType<TabProps> }

/** Loads the live view of the page's tab. */
export async function loadTab({ tab, view }: Share): Promise<TabModule> {
  if (tab === 'map') return view.kind === 'event' ? await import('./event-tab.tsx') : await import('./track-tab.tsx')
  if (tab === 'results') return await import('./results-tab.tsx')
  if (tab === 'replay') return await import('./replay-tab.tsx')
  throw new Error(`There is no tab ${tab}`)
}
