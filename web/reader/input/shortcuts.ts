import type { ReadingState } from '../state/reader-state.ts'
import type { Commands } from './commands.ts'

const LETTERS_KEY = 'reader.letters'

/** Whether letters are shortcuts; who speaks to their computer turns them off (WCAG 2.2, 2.1.4). */
export function lettersAreOn(): boolean {
  try {
    return localStorage.getItem(LETTERS_KEY) !== 'off'
  } catch {
    return true
  }
}

export function turnLetters(isOn: boolean): void {
  try {
    localStorage.setItem(LETTERS_KEY, isOn ? 'on' : 'off')
  } catch {
    // It holds for this visit alone where nothing is kept.
  }
}

/** Makes keys do what buttons do, except where somebody writes. */
export function followKeys(commands: Commands, state: ReadingState, main: HTMLElement, pageCount: number): void {
  const ahead = commands.isRightToLeft ? -1 : 1
  const letters = new Map<string, () => void>([
    ['f', commands.fullScreen],
    ['/', () => commands.panel('search')],
    ['t', () => commands.panel('thumbnails')],
    ['o', () => commands.panel('contents')],
    ['s', () => commands.view(state.now.view === 'spread' ? 'single' : 'spread')],
    ['v', () => commands.view(state.now.view === 'scroll' ? 'single' : 'scroll')],
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
  /** Where the pages can be scrolled, arrows do that. */
  const canScroll = (direction: 'across' | 'down') => {
    const box = state.now.view === 'scroll' ? document.documentElement : main
    if (direction === 'across') return box.scrollWidth > box.clientWidth + 1
    return state.now.view === 'scroll' || box.scrollHeight > box.clientHeight + 1
  }
  const keys = new Map<string, () => boolean>([
    ['ArrowRight', () => !canScroll('across') && did(() => commands.turn(ahead))],
    ['ArrowLeft', () => !canScroll('across') && did(() => commands.turn(ahead === 1 ? -1 : 1))],
    ['ArrowDown', () => !canScroll('down') && did(() => commands.turn(1))],
    ['ArrowUp', () => !canScroll('down') && did(() => commands.turn(-1))],
    ['PageDown', () => !canScroll('down') && did(() => commands.turn(1))],
    ['PageUp', () => !canScroll('down') && did(() => commands.turn(-1))],
    ['Home', () => did(() => commands.goTo(1))],
    ['End', () => did(() => commands.goTo(pageCount))],
  ])

  addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isDialogOpen()) return
    if (key === 'Escape' && commands.close()) return event.preventDefault()
    if (isWriting(target as Element)) return
    const isInPanel = (target as Element).closest?.('.reader-panel') != null
    const wasDone = (!isInPanel && keys.get(key)?.()) || (letters.has(key) && lettersAreOn() && did(letters.get(key)!))
    if (wasDone) event.preventDefault()
  })
}

function did(command: () => void): true {
  command()
  return true
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}

function isWriting(target: Element): boolean {
  return (
    target.matches?.('input:not([type="checkbox"]):not([type="radio"]), textarea, select, [contenteditable]') ?? false
  )
}
