import type { Commands } from '../input/commands.ts'
import type { ReaderStore } from '../state/reader-store.ts'
import { element, iconButton } from '../ui/elements.ts'
import { icons } from '../ui/icons.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import { createOverflowMenu } from './overflow-menu.ts'
import { makePageField, type PageField } from './page-field.ts'
import { addRovingTabindex } from './roving-tabindex.ts'

type Deps = {
  bar: HTMLElement
  title: string
  pageCount: number
  texts: ReaderTexts
  store: ReaderStore
  commands: Commands
  /** Called when the toolbar has become higher or lower. */
  onHeight(): void
}

/** Fills the space that the page reserves for the toolbar with its buttons. */
export function fillToolbar({ bar, title, pageCount, texts, store, commands, onHeight }: Deps): void {
  const panels = panelButtons(texts, commands)
  const views = viewButtons(texts, commands)
  const reset = element('button', { type: 'button', class: 'tool percent', title: texts.zoomReset })
  reset.addEventListener('click', commands.zoomReset)
  const zoom = group(
    undefined,
    iconButton(texts.zoomOut, icons.zoomOut, commands.zoomOut),
    reset,
    iconButton(texts.zoomIn, icons.zoomIn, commands.zoomIn),
  )
  const field = makePageField({ texts, pageCount, commands })
  const turning = turningGroup(field, texts, commands)
  const name = element('span', { class: 'bar-title', 'aria-hidden': 'true', dir: 'auto' }, title)
  const text = iconButton(texts.textView, icons.text, commands.toggleText, { 'data-text-button': true })
  const more = createOverflowMenu(bar, texts, zoom, group(texts.view, ...views, text), otherTools(texts, commands))
  bar.setAttribute('role', 'toolbar')
  bar.setAttribute('aria-label', texts.toolbar)
  bar.append(group(undefined, ...panels), name, turning, more.menu, more.button)

  const show = () => {
    const { page, view, isText, zoom: factor, panel } = store.current
    field.show(page)
    for (const button of panels) button.setAttribute('aria-expanded', String(button.dataset.panelButton === panel))
    for (const button of views) button.setAttribute('aria-pressed', String(button.dataset.viewButton === view))
    text.setAttribute('aria-pressed', String(isText))
    const percent = texts.zoomedTo(Math.round(factor * 100))
    reset.replaceChildren(percent, element('span', { class: 'unseen' }, ` – ${texts.zoomReset}`))
    const [previous, next] = turning.querySelectorAll<HTMLElement>('[data-turn]')
    // Unlike disabled buttons, these keep the focus at the first and last page.
    previous.setAttribute('aria-disabled', String(page <= 1))
    next.setAttribute('aria-disabled', String(page >= pageCount))
  }
  store.subscribe(show)
  show()
  addRovingTabindex(bar)
  makeRoom(bar, onHeight)
  // A click leaves the focus in the document, so that the arrow keys turn pages and do not move between buttons.
  bar.addEventListener('mousedown', (event) => {
    if ((event.target as Element).closest('button, a')) event.preventDefault()
  })
}

/** Makes room for a toolbar that needs a second row, because the screen is narrow or the text is large. */
function makeRoom(bar: HTMLElement, onHeight: () => void): void {
  let heightPx = parseFloat(getComputedStyle(bar).minHeight)
  new ResizeObserver(() => {
    const { height } = bar.getBoundingClientRect()
    if (Math.abs(height - heightPx) < 1) return
    heightPx = height
    document.documentElement.style.setProperty('--bar', `${height}px`)
    onHeight()
  }).observe(bar)
}

function panelButtons(texts: ReaderTexts, commands: Commands): HTMLElement[] {
  const labels = { contents: texts.contents, thumbnails: texts.thumbnails, search: texts.searchDocument }
  return (['contents', 'thumbnails', 'search'] as const).map((name) =>
    iconButton(labels[name], icons[name], () => commands.panel(name), {
      'data-panel-button': name,
      'aria-expanded': 'false',
    }),
  )
}

function viewButtons(texts: ReaderTexts, commands: Commands): HTMLElement[] {
  return (['scroll', 'single', 'spread'] as const).map((view) =>
    iconButton(texts[view], icons[view], () => commands.view(view), {
      'data-view-button': view,
      'aria-pressed': 'false',
    }),
  )
}

function turningGroup({ form }: PageField, texts: ReaderTexts, commands: Commands): HTMLElement {
  const turning = group(
    undefined,
    iconButton(texts.previous, icons.previous, () => commands.turn(-1), { 'data-turn': '-1' }),
    form,
    iconButton(texts.next, icons.next, () => commands.turn(1), { 'data-turn': '1' }),
  )
  turning.classList.add('turning')
  if (commands.isRightToLeft) turning.dir = 'rtl'
  return turning
}

function otherTools(texts: ReaderTexts, commands: Commands): HTMLElement {
  return group(
    undefined,
    iconButton(texts.print, icons.print, commands.print),
    downloadLink(texts, commands.downloadAddress),
    document.fullscreenEnabled ? iconButton(texts.fullScreen, icons.fullScreen, commands.fullScreen) : undefined,
    iconButton(texts.help, icons.help, commands.help),
  )
}

function group(label: string | undefined, ...children: (Node | undefined)[]): HTMLElement {
  return element('div', { class: 'tools', role: label && 'group', 'aria-label': label }, ...children)
}

function downloadLink(texts: ReaderTexts, address: string): HTMLElement {
  const link = element('a', { class: 'tool', href: address, 'aria-label': texts.download, title: texts.download })
  const button = iconButton(texts.download, icons.download, () => {})
  link.append(...button.childNodes)
  return link
}
