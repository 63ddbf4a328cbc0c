import type { ReaderStore } from '../state/reader-store.ts'
import type { Announcer } from '../ui/announcer.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import type { PageLayout } from './page-layout.ts'
import type { ScrollTracker } from './scroll-tracker.ts'

type Deps = {
  texts: ReaderTexts
  store: ReaderStore
  layout: PageLayout
  scrollTracker: ScrollTracker
  announce: Announcer
}

/**
 * Lets the reader choose between the images and the text of pages, also by the page's own buttons, and keeps the place.
 * Returns the function that chooses.
 */
export function createTextChoice({ texts, store, layout, scrollTracker, announce }: Deps): (isText: boolean) => void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>('#view-pages, #view-text')]

  function choose(isText: boolean): void {
    for (const input of inputs) input.checked = (input.id === 'view-text') === isText
    if (isText === store.current.isText) return
    store.set({ isText, zoom: 1 })
    layout.refit()
    scrollTracker.restorePlace()
    announce(isText ? texts.textShown : texts.pagesShown)
  }

  for (const input of inputs) input.checked = (input.id === 'view-text') === store.current.isText
  for (const input of inputs) input.addEventListener('change', () => choose(input.id === 'view-text'))
  return choose
}
