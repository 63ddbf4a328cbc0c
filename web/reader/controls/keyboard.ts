import type { ReaderDeps } from '../pages/reader-deps.ts'
import { areLetterShortcutsOn, type Commands } from './commands.ts'
import { canScrollAcross, canScrollOn } from './page-turning.ts'

/** The part of the screen by which the space bar scrolls. */
const SCREEN_SHARE = 0.9

/** Runs commands by key, except while the focus is in a text field. */
export function handleKeys({ store, main, data: { pageCount } }: ReaderDeps, commands: Commands): void {
  const ahead = commands.isRightToLeft ? -1 : 1
  const letters = new Map<string, () => void>([
    ['r', () => commands.readAloud?.()],
    ['d', commands.display],
    ['f', commands.fullScreen],
    ['/', () => commands.panel('search')],
    ['t', () => commands.panel('thumbnails')],
    ['b', commands.bookmark],
    ['o', () => commands.panel('contents')],
    ['s', () => commands.view(store.current.view === 'spread' ? 'single' : 'spread')],
    ['v', () => commands.view(store.current.view === 'scroll' ? 'single' : 'scroll')],
    ['x', commands.toggleText],
    ['u', commands.rotate],
    ['l', commands.share],
    ['p', commands.print],
    ['g', () => document.getElementById('reader-page')?.focus()],
    ['n', () => commands.nextHit(1)],
    ['N', () => commands.nextHit(-1)],
    ['?', commands.help],
    ['+', commands.zoomIn],
    ['=', commands.zoomIn],
    ['-', commands.zoomOut],
    ['0', commands.zoomReset],
  ])
  const isWide = () => {
    const { scrollWidth, clientWidth } = document.documentElement
    return store.current.view === 'scroll' ? scrollWidth > clientWidth + 1 : canScrollAcross(main)
  }
  /** Keys scroll a page as far as it goes, and then turn it. */
  const turnAtEnd = (by: 1 | -1) => {
    if (store.current.view === 'scroll' || canScrollOn(main, by)) return false
    commands.turn(by, { isAtEnd: by === -1 })
    return true
  }
  const space = (by: 1 | -1) => {
    if (store.current.view === 'scroll') return false
    if (!turnAtEnd(by)) main.scrollBy({ top: by * SCREEN_SHARE * main.clientHeight })
    return true
  }
  const keys = new Map<string, () => boolean>([
    ['ArrowRight', () => !isWide() && done(() => commands.turn(ahead))],
    ['ArrowLeft', () => !isWide() && done(() => commands.turn(ahead === 1 ? -1 : 1))],
    ['ArrowDown', () => turnAtEnd(1)],
    ['ArrowUp', () => turnAtEnd(-1)],
    ['PageDown', () => turnAtEnd(1)],
    ['PageUp', () => turnAtEnd(-1)],
    [' ', () => space(1)],
    ['Shift+ ', () => space(-1)],
    ['Home', () => done(() => void commands.goTo(1))],
    ['End', () => done(() => void commands.goTo(pageCount))],
  ])

  addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isDialogOpen()) return
    if (key === 'Escape' && commands.close()) return event.preventDefault()
    if (isTextField(target as Element)) return
    // The space bar presses a button that has the focus.
    if (key === ' ' && (target as Element).closest?.('button, a, input, summary')) return
    const isInPanel = (target as Element).closest?.('.reader-panel') != null
    const wasDone =
      (!isInPanel && keys.get(key === ' ' && event.shiftKey ? 'Shift+ ' : key)?.()) ||
      (letters.has(key) && areLetterShortcutsOn() && done(letters.get(key)!))
    if (wasDone) event.preventDefault()
  })
}

function done(command: () => void): true {
  command()
  return true
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}

function isTextField(target: Element): boolean {
  return (
    target.matches?.('input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable]') ?? false
  )
}
