import type { ReaderDeps } from '../pages/reader-deps.ts'
import { areLetterShortcutsOn, type Commands } from './commands.ts'

/** Runs commands by key, except while the focus is in a text field. */
export function handleKeys({ store, main, data: { pageCount } }: ReaderDeps, commands: Commands): void {
  const ahead = commands.isRightToLeft ? -1 : 1
  const letters = new Map<string, () => void>([
    ['f', commands.fullScreen],
    ['/', () => commands.panel('search')],
    ['t', () => commands.panel('thumbnails')],
    ['o', () => commands.panel('contents')],
    ['s', () => commands.view(store.current.view === 'spread' ? 'single' : 'spread')],
    ['v', () => commands.view(store.current.view === 'scroll' ? 'single' : 'scroll')],
    ['x', commands.toggleText],
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
  /** The arrow keys scroll the pages if there is anything to scroll, and turn them otherwise. */
  const canScroll = (direction: 'across' | 'down') => {
    const box = store.current.view === 'scroll' ? document.documentElement : main
    if (direction === 'across') return box.scrollWidth > box.clientWidth + 1
    return store.current.view === 'scroll' || box.scrollHeight > box.clientHeight + 1
  }
  const keys = new Map<string, () => boolean>([
    ['ArrowRight', () => !canScroll('across') && done(() => commands.turn(ahead))],
    ['ArrowLeft', () => !canScroll('across') && done(() => commands.turn(ahead === 1 ? -1 : 1))],
    ['ArrowDown', () => !canScroll('down') && done(() => commands.turn(1))],
    ['ArrowUp', () => !canScroll('down') && done(() => commands.turn(-1))],
    ['PageDown', () => !canScroll('down') && done(() => commands.turn(1))],
    ['PageUp', () => !canScroll('down') && done(() => commands.turn(-1))],
    ['Home', () => done(() => void commands.goTo(1))],
    ['End', () => done(() => void commands.goTo(pageCount))],
  ])

  addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isDialogOpen()) return
    if (key === 'Escape' && commands.close()) return event.preventDefault()
    if (isTextField(target as Element)) return
    const isInPanel = (target as Element).closest?.('.reader-panel') != null
    const wasDone =
      (!isInPanel && keys.get(key)?.()) || (letters.has(key) && areLetterShortcutsOn() && done(letters.get(key)!))
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
