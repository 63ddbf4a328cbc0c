import type { Commands } from './commands.ts'
import { element, iconButton } from './elements.ts'
import { icons } from './icons.ts'
import type { ReadingState, View } from './reading-state.ts'
import type { ReaderTexts } from './texts.ts'

type Parts = {
  bar: HTMLElement
  title: string
  pageCount: number
  texts: ReaderTexts
  state: ReadingState
  commands: Commands
}

/** Fills the room that the page keeps for it with the buttons of the reader. */
export function fillToolbar({ bar, title, pageCount, texts, state, commands }: Parts): void {
  const more = element('div', { class: 'more', id: 'reader-more' })
  const moreButton = iconButton(texts.more, icons.more, () => toggleMore(), {
    class: 'tool more-button',
    'aria-expanded': 'false',
    'aria-controls': 'reader-more',
  })
  const panels = (['contents', 'thumbnails', 'search'] as const).map((name) => {
    const label = name === 'thumbnails' ? texts.thumbnailsLong : name === 'search' ? texts.searchLong : texts.contents
    return iconButton(label, icons[name], () => commands.panel(name), {
      'data-panel-button': name,
      'aria-expanded': 'false',
    })
  })
  const views = (['scroll', 'single', 'spread'] as const).map((view) =>
    iconButton(texts[view], icons[view], () => commands.view(view), {
      'data-view-button': view,
      'aria-pressed': 'false',
    }),
  )
  const zoomReset = element('button', { type: 'button', class: 'tool percent', title: texts.zoomReset })
  zoomReset.addEventListener('click', commands.zoomReset)
  more.append(
    group(
      undefined,
      iconButton(texts.zoomOut, icons.zoomOut, commands.zoomOut),
      zoomReset,
      iconButton(texts.zoomIn, icons.zoomIn, commands.zoomIn),
    ),
    group(texts.view, ...views),
    group(
      undefined,
      iconButton(texts.print, icons.print, commands.print),
      downloadLink(texts, commands.downloadAddress),
      document.fullscreenEnabled ? iconButton(texts.fullScreen, icons.fullScreen, commands.fullScreen) : undefined,
      iconButton(texts.help, icons.help, commands.help),
    ),
  )
  const pageField = makePageField(texts, pageCount, commands)
  const name = element('span', { class: 'bar-title', 'aria-hidden': 'true', dir: 'auto' }, title)
  const turning = group(
    undefined,
    iconButton(texts.previous, icons.previous, () => commands.turn(-1), { 'data-turn': '-1' }),
    pageField.form,
    iconButton(texts.next, icons.next, () => commands.turn(1), { 'data-turn': '1' }),
  )
  turning.classList.add('turning')
  if (commands.isRightToLeft) turning.dir = 'rtl'
  setRole(bar, texts.toolbar)
  bar.append(group(undefined, ...panels), name, turning, more, moreButton)

  function toggleMore(isOpen = !more.classList.contains('open')): void {
    more.classList.toggle('open', isOpen)
    moreButton.setAttribute('aria-expanded', String(isOpen))
  }
  document.addEventListener('click', ({ target }) => {
    if (!more.contains(target as Node) && !moreButton.contains(target as Node)) toggleMore(false)
  })
  more.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('[data-view-button], a')) toggleMore(false)
  })
  bar.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !more.classList.contains('open')) return
    event.stopPropagation()
    toggleMore(false)
    moreButton.focus()
  })

  const show = () => {
    const { page, view, zoom, panel } = state.now
    pageField.show(page)
    for (const button of panels) button.setAttribute('aria-expanded', String(button.dataset.panelButton === panel))
    for (const button of views)
      button.setAttribute('aria-pressed', String(button.dataset.viewButton === (view as View)))
    const percent = texts.zoomedTo(Math.round(zoom * 100))
    zoomReset.replaceChildren(percent, element('span', { class: 'unseen' }, ` – ${texts.zoomReset}`))
    const [previous, next] = turning.querySelectorAll<HTMLElement>('[data-turn]')
    // Unlike disabled buttons, these keep the focus of who arrives at an end.
    previous.setAttribute('aria-disabled', String(page <= 1))
    next.setAttribute('aria-disabled', String(page >= pageCount))
  }
  state.follow(show)
  show()
  moveByArrows(bar)
  // Whoever clicks goes on in the document: arrows are to turn its pages, and not to go from button to button.
  bar.addEventListener('mousedown', (event) => {
    if ((event.target as Element).closest('button, a')) event.preventDefault()
  })
}

function setRole(bar: HTMLElement, label: string): void {
  bar.setAttribute('role', 'toolbar')
  bar.setAttribute('aria-label', label)
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

function makePageField(texts: ReaderTexts, pageCount: number, commands: Commands) {
  const input = element('input', {
    id: 'reader-page',
    inputmode: 'numeric',
    autocomplete: 'off',
    'aria-label': `${texts.page} (${texts.of(pageCount)})`,
    size: String(pageCount).length,
  })
  const form = element(
    'form',
    { class: 'page-field' },
    input,
    element('span', { 'aria-hidden': 'true' }, `/ ${pageCount}`),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const page = Number(input.value.trim())
    if (Number.isFinite(page) && page > 0) commands.goTo(page)
    input.select()
  })
  input.addEventListener('focus', () => input.select())
  return {
    form,
    show(page: number): void {
      input.value = String(page)
    },
  }
}

/** One stop for the tabulator, arrows within, as toolbars have it (WAI-ARIA authoring practices); fields keep theirs. */
function moveByArrows(bar: HTMLElement): void {
  const all = () => [...bar.querySelectorAll<HTMLElement>('button, a')]
  const seen = () => all().filter((tool) => tool.offsetParent !== null)
  const makeStop = (stop: HTMLElement | undefined) => {
    for (const tool of all()) tool.tabIndex = tool === stop ? 0 : -1
  }
  makeStop(all()[0])
  bar.addEventListener('focusin', ({ target }) => {
    if ((target as Element).matches('button, a')) makeStop(target as HTMLElement)
  })
  bar.addEventListener('keydown', (event) => {
    const tools = seen()
    const at = tools.indexOf(event.target as HTMLElement)
    const last = tools.length - 1
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }
    const to = steps[event.key]
    if (at < 0 || to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    tools[(to + tools.length) % tools.length].focus()
  })
}
