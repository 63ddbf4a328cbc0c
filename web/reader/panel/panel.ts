import type { PanelName, ReadingState } from '../state/reader-state.ts'
import { element, iconButton } from '../ui/elements.ts'
import { icons } from '../ui/icons.ts'
import type { ReaderTexts } from '../ui/texts.ts'

export type PanelContent = {
  element: HTMLElement
  /** Called when it can be seen. */
  open(): void | Promise<void>
}

/** Opens and closes what lies beside the pages, one thing at a time. */
export function createPanel(
  contents: Record<PanelName, PanelContent>,
  state: ReadingState,
  texts: ReaderTexts,
  onClose: (name: PanelName) => void,
): void {
  const root = document.documentElement
  const title = element('h2', { id: 'reader-panel-title' })
  const close = iconButton(texts.close, icons.close, () => {
    const name = state.now.panel
    state.set({ panel: undefined })
    if (name !== undefined) onClose(name)
  })
  const body = element('div', { class: 'panel-body' })
  const panel = element(
    'section',
    { class: 'reader-panel', 'aria-labelledby': 'reader-panel-title', hidden: true },
    element('header', {}, title, close),
    body,
  )
  document.getElementById('reader-bar')!.after(panel)
  body.append(...Object.values(contents).map(({ element: content }) => content))

  state.follow(({ panel: now }, { panel: before }) => {
    if (now === before) return
    panel.hidden = now === undefined
    if (now === undefined) {
      delete root.dataset.panel
      // Whoever was in the panel is back where they opened it.
      const opener = document.querySelector<HTMLElement>(`[data-panel-button="${before}"]`)
      if (document.activeElement === document.body || panel.contains(document.activeElement)) opener?.focus()
      return
    }
    root.dataset.panel = now
    title.textContent = { contents: texts.contents, thumbnails: texts.thumbnailsLong, search: texts.searchLong }[now]
    for (const [name, { element: content }] of Object.entries(contents)) content.hidden = name !== now
    void contents[now].open()
  })
}
