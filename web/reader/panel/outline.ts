import type { ReadingState } from '../state/reader-state.ts'
import { pageInAddress } from '../state/reading-position.ts'
import { element } from '../ui/elements.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import type { PanelContent } from './panel.ts'

/** The table of contents of the page, as a panel, which tells where one is in it. */
export function createOutline(state: ReadingState, texts: ReaderTexts): PanelContent {
  const lists = document.querySelector<HTMLElement>('nav.outline details > div')
  const nav = element('nav', { class: 'panel-outline', 'aria-label': texts.contents })
  if (lists === null) nav.append(element('p', { class: 'hint' }, texts.noContents))
  else nav.append(lists.cloneNode(true))
  const entries = [nav, lists].filter((list) => list !== null).map(entriesOf)

  const mark = () => {
    for (const list of entries) {
      const current = list.findLast(({ page }) => page <= state.now.page)
      for (const { link } of list) {
        if (link === current?.link) link.setAttribute('aria-current', 'location')
        else link.removeAttribute('aria-current')
      }
    }
  }
  state.follow((now, before) => {
    if (now.page !== before.page) mark()
  })
  mark()

  return {
    element: nav,
    open() {
      const current = nav.querySelector<HTMLElement>('[aria-current]') ?? nav.querySelector('a')
      current?.scrollIntoView({ block: 'center', behavior: 'instant' })
      current?.focus({ preventScroll: true })
    },
  }
}

function entriesOf(list: HTMLElement): { link: HTMLAnchorElement; page: number }[] {
  return [...list.querySelectorAll('a')].flatMap((link) => {
    const page = pageInAddress(link.hash)
    return page === undefined ? [] : [{ link, page }]
  })
}
