import { readPageList } from '../document/loaded-pages.ts'
import { VIEWS } from '../document/reader-state.ts'
import { element, iconButton, icons } from '../elements.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import type { ReaderTranslate } from '../texts.ts'
import type { Bookmarks } from './bookmarks.ts'
import type { Commands } from './commands.ts'
import { watchVoices } from './read-aloud.ts'

/** Fills the space that the page reserves for the toolbar. `onHeight` is called when it has become higher or lower. */
export function fillToolbar(deps: ReaderDeps, commands: Commands, bookmarks: Bookmarks, onHeight: () => void): void {
  const { bar, t, store } = deps
  const { title, pageCount } = deps.data
  const panels = panelButtons(t, commands)
  const views = viewButtons(t, commands)
  const reset = element('button', { type: 'button', class: 'tool percent', title: t('zoomReset') })
  reset.addEventListener('click', commands.zoomReset)
  const zoom = group(
    undefined,
    iconButton(t('zoomOut'), icons.zoomOut, commands.zoomOut),
    reset,
    iconButton(t('zoomIn'), icons.zoomIn, commands.zoomIn),
  )
  zoom.classList.add('zooming')
  const field = makePageField(deps, commands)
  const turning = turningGroup(field, t, commands)
  const name = element('span', { class: 'bar-title', 'aria-hidden': 'true', dir: 'auto' }, title)
  const text = iconButton(t('textView'), icons.text, commands.toggleText, { 'data-text-button': true })
  const bookmark = iconButton(t('bookmarkPage'), icons.bookmark, commands.bookmark)
  const more = createOverflowMenu(bar, t)
  // The last go into the menu first.
  const droppable = [
    zoom,
    group(t('view'), ...views, deps.data.hasText ? text : undefined),
    otherTools(t, commands, bookmark),
  ]
  bar.setAttribute('role', 'toolbar')
  bar.setAttribute('aria-label', t('toolbar'))
  // A toolbar is no landmark.
  const place = element('section', { 'aria-label': t('toolbar') })
  bar.replaceWith(place)
  place.append(bar)
  bar.append(group(undefined, ...panels), name, turning, ...droppable, more.menu, more.button)

  const show = () => {
    const { page, view, isText, panel } = store.current
    field.show(page)
    for (const button of panels) button.setAttribute('aria-expanded', String(button.dataset.panelButton === panel))
    for (const button of views) button.setAttribute('aria-pressed', String(button.dataset.viewButton === view))
    text.setAttribute('aria-pressed', String(isText))
    bookmark.setAttribute('aria-pressed', String(bookmarks.has(page)))
    // Pages have their size once the change is laid out.
    requestAnimationFrame(showScale)
    const [previous, next] = turning.querySelectorAll<HTMLElement>('[data-turn]')
    // Unlike disabled buttons, these keep the focus at the first and last page.
    previous.setAttribute('aria-disabled', String(page <= 1))
    next.setAttribute('aria-disabled', String(page >= pageCount))
  }
  const showScale = () => {
    const percent = t('zoomedTo', { percent: Math.round(commands.scale() * 100) })
    reset.replaceChildren(percent, element('span', { class: 'unseen' }, ` – ${t('zoomReset')}`))
  }
  addEventListener('resize', () => requestAnimationFrame(showScale))
  store.subscribe(show)
  bookmarks.subscribe(show)
  show()
  showScale()
  addRovingTabindex(bar)
  fitTools(bar, name, droppable, more)
  makeRoom(bar, onHeight)
  // A click leaves the focus in the document, so that the arrow keys turn pages and do not move between buttons.
  bar.addEventListener('mousedown', (event) => {
    if ((event.target as Element).closest('button, a')) event.preventDefault()
  })
}

/** A title in less space says nothing. */
const MIN_TITLE_PX = 96

/** Keeps as many tools in the bar as its width holds, at any size of text, and puts the others into the menu. */
function fitTools(
  bar: HTMLElement,
  title: HTMLElement,
  droppable: readonly HTMLElement[],
  { menu, button }: OverflowMenu,
): void {
  let widthPx = -1
  const needed = () => [...bar.children].reduce((sum, tool) => sum + outerWidth(tool as HTMLElement), 0)
  function fit(): void {
    if (bar.clientWidth === widthPx) return
    widthPx = bar.clientWidth
    const { paddingLeft, paddingRight } = getComputedStyle(bar)
    const space = widthPx - parseFloat(paddingLeft) - parseFloat(paddingRight)
    menu.before(...droppable)
    button.hidden = true
    for (const tools of droppable.toReversed()) {
      if (needed() <= space) break
      menu.prepend(tools)
      button.hidden = false
    }
    title.hidden = space - needed() < MIN_TITLE_PX
  }

  fit()
  new ResizeObserver(fit).observe(bar)
}

/** Returns the width that a tool takes with its margins; the title gives way to all others. */
function outerWidth(tool: HTMLElement): number {
  if (tool.matches('.bar-title, .more')) return 0
  const { columnGap } = getComputedStyle(tool.parentElement!)
  return tool.offsetWidth === 0 ? 0 : tool.offsetWidth + (parseFloat(columnGap) || 0)
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

function panelButtons(t: ReaderTranslate, commands: Commands): HTMLElement[] {
  const labels = { contents: t('contents'), thumbnails: t('thumbnails'), search: t('searchDocument') }
  return (['contents', 'thumbnails', 'search'] as const).map((name) =>
    iconButton(labels[name], icons[name], () => commands.panel(name), {
      'data-panel-button': name,
      'aria-expanded': 'false',
    }),
  )
}

function viewButtons(t: ReaderTranslate, commands: Commands): HTMLElement[] {
  return VIEWS.map((view) =>
    iconButton(t(view), icons[view], () => commands.view(view), {
      'data-view-button': view,
      'aria-pressed': 'false',
    }),
  )
}

function turningGroup({ form }: PageField, t: ReaderTranslate, commands: Commands): HTMLElement {
  // The arrows point where the pages go.
  const [back, on] = commands.isRightToLeft ? [icons.next, icons.previous] : [icons.previous, icons.next]
  const turning = group(
    undefined,
    iconButton(t('previous'), back, () => commands.turn(-1), { 'data-turn': '-1' }),
    form,
    iconButton(t('next'), on, () => commands.turn(1), { 'data-turn': '1' }),
  )
  turning.classList.add('turning')
  if (commands.isRightToLeft) turning.dir = 'rtl'
  return turning
}

function otherTools(t: ReaderTranslate, commands: Commands, bookmark: HTMLElement): HTMLElement {
  return group(
    undefined,
    commands.readAloud && readAloudButton(t, commands.readAloud),
    bookmark,
    iconButton(t('display'), icons.display, commands.display),
    iconButton(t('share'), icons.share, commands.share),
    iconButton(t('print'), icons.print, commands.print),
    ...(commands.downloadAddress === undefined ? [] : [downloadLink(t, commands.downloadAddress)]),
    document.fullscreenEnabled
      ? iconButton(t('fullScreen'), icons.fullScreen, commands.fullScreen, { 'data-leaves-menu': '' })
      : undefined,
    iconButton(t('help'), icons.help, commands.help),
  )
}

function readAloudButton(t: ReaderTranslate, readAloud: () => void): HTMLElement {
  const button = iconButton(t('readAloud'), icons.readAloud, readAloud, { 'data-leaves-menu': '' })
  watchVoices((hasVoices) => {
    button.hidden = !hasVoices
  })
  return button
}

function group(label: string | undefined, ...children: (Node | undefined)[]): HTMLElement {
  return element('div', { class: 'tools', role: label && 'group', 'aria-label': label }, ...children)
}

function downloadLink(t: ReaderTranslate, address: string): HTMLElement {
  const link = element('a', { class: 'tool', href: address, 'aria-label': t('download'), title: t('download') })
  const button = iconButton(t('download'), icons.download, () => {})
  link.append(...button.childNodes)
  return link
}

type OverflowMenu = ReturnType<typeof createOverflowMenu>

/** Makes the menu of the tools for which the bar has no room, with its button. */
function createOverflowMenu(bar: HTMLElement, t: ReaderTranslate): { menu: HTMLElement; button: HTMLElement } {
  const menu = element('div', { class: 'more', id: 'reader-more' })
  const button = iconButton(t('more'), icons.more, () => toggle(), {
    class: 'tool more-button',
    'aria-expanded': 'false',
    'aria-controls': 'reader-more',
  })

  function toggle(isOpen = !menu.classList.contains('open')): void {
    menu.classList.toggle('open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }

  document.addEventListener('click', ({ target }) => {
    if (!menu.contains(target as Node) && !button.contains(target as Node)) toggle(false)
  })
  menu.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('[data-view-button], [data-text-button], [data-leaves-menu], a')) toggle(false)
  })
  bar.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.classList.contains('open')) return
    event.stopPropagation()
    toggle(false)
    button.focus()
  })
  return { menu, button }
}

type PageField = ReturnType<typeof makePageField>

/**
 * Makes a field that shows the printed label of the current page, such as `iv`, and goes to the label or number
 * entered, with the focus. A label precedes the number: the reader sees it on the page.
 */
function makePageField({ t, data, pages }: ReaderDeps, commands: Commands) {
  const { pageCount } = data
  let current = 1
  const input = element('input', {
    id: 'reader-page',
    inputmode: 'numeric',
    autocomplete: 'off',
    'aria-label': `${t('page')} (${t('of', { count: pageCount })})`,
  })
  const position = element('span', { 'aria-hidden': 'true' })
  const form = element('form', { class: 'page-field' }, input, position)
  const currentLabel = () => pages.label(current)
  const showCurrent = () => {
    const label = currentLabel()
    const isNumber = label === String(current)
    input.value = label
    input.size = Math.max(String(pageCount).length, Math.min(label.length, 8))
    if (!isNumber) input.inputMode = 'text'
    position.textContent = isNumber ? `/ ${pageCount}` : `(${current} / ${pageCount})`
    input.setCustomValidity('')
  }

  /** Returns the page with a label, else with a number; undefined if there is none. */
  async function pageNamed(text: string): Promise<number | undefined> {
    const wanted = text.toLowerCase()
    const list = await readPageList(pages, data).catch(() => [])
    const page =
      list.find(({ label }) => label.toLowerCase() === wanted)?.page ?? (/^\d+$/.test(text) ? Number(text) : 0)
    return page < 1 || page > pageCount ? undefined : page
  }

  async function submit(): Promise<void> {
    const page = await pageNamed(input.value.trim())
    if (page === undefined) {
      input.setCustomValidity(t('noSuchPage', { count: pageCount }))
      input.reportValidity()
      return input.select()
    }
    await commands.goTo(page)
    commands.focusPage()
  }

  form.noValidate = true
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  input.addEventListener('input', () => input.setCustomValidity(''))
  input.addEventListener('focus', () => input.select())
  input.addEventListener('blur', showCurrent)
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    commands.focusPage()
  })
  return {
    form,
    show(page: number): void {
      const isTyping = document.activeElement === input && input.value !== currentLabel()
      current = page
      if (!isTyping) showCurrent()
    },
  }
}

/**
 * Makes the toolbar one tab stop with arrow keys inside (WAI-ARIA toolbar pattern); fields keep their own tab stops.
 */
function addRovingTabindex(bar: HTMLElement): void {
  const tools = () => [...bar.querySelectorAll<HTMLElement>('button, a')]
  const visibleTools = () => tools().filter((tool) => tool.offsetParent !== null && !tool.hidden)
  const makeStop = (stop: HTMLElement | undefined) => {
    for (const tool of tools()) tool.tabIndex = tool === stop ? 0 : -1
  }
  makeStop(tools()[0])
  bar.addEventListener('focusin', ({ target }) => {
    if ((target as Element).matches('button, a')) makeStop(target as HTMLElement)
  })
  bar.addEventListener('keydown', (event) => {
    const visible = visibleTools()
    const at = visible.indexOf(event.target as HTMLElement)
    const last = visible.length - 1
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }
    const to = steps[event.key]
    if (at < 0 || to === undefined) return
    event.preventDefault()
    event.stopPropagation()
    visible[(to + visible.length) % visible.length].focus()
  })
}
