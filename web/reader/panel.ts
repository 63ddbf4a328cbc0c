import type { PanelName, ReaderStore } from './document/reader-state.ts'
import { element, iconButton, icons } from './elements.ts'
import type { ReaderTranslate } from './texts.ts'

export type PanelContent = {
  element: HTMLElement
  /** Called when the content has become visible. */
  open(): void | Promise<void>
}

/** Opens and closes the panel beside the pages, which shows one content at a time. */
export function createPanel(
  contents: Record<PanelName, PanelContent>,
  store: ReaderStore,
  t: ReaderTranslate,
  onClose: (name: PanelName) => void,
): void {
  const root = document.documentElement
  const title = element('h2', { id: 'reader-panel-title' })
  const close = iconButton(t('close'), icons.close, () => {
    const name = store.current.panel
    store.set({ panel: undefined })
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

  store.subscribe(({ panel: now }, { panel: before }) => {
    if (now === before) return
    panel.hidden = now === undefined
    if (now === undefined) {
      delete root.dataset.panel
      // The focus returns from the panel to the button that opened it.
      const opener = document.querySelector<HTMLElement>(`[data-panel-button="${before}"]`)
      if (document.activeElement === document.body || panel.contains(document.activeElement)) opener?.focus()
      return
    }
    root.dataset.panel = now
    title.textContent = { contents: t('contents'), thumbnails: t('thumbnails'), search: t('searchDocument') }[now]
    for (const [name, { element: content }] of Object.entries(contents)) content.hidden = name !== now
    void contents[now].open()
  })
}
