import { storedText, storeText } from '../../ui/stored-text.ts'
import { openDisplay } from '../dialogs/display-dialog.ts'
import { openPrint } from '../dialogs/print-dialog.ts'
import { openShare } from '../dialogs/share-dialog.ts'
import type { PanelName } from '../document/reader-state.ts'
import { element, makeDialog } from '../elements.ts'
import type { ReaderDeps } from '../pages/reader-deps.ts'
import { type Viewer, ZOOM_STEP } from '../pages/viewer.ts'
import type { Search } from '../search/search.ts'
import type { Bookmarks } from './bookmarks.ts'
import { canScrollAcross, canScrollOn } from './page-turning.ts'
import { canReadAloud, ReadAloud } from './read-aloud.ts'

export type Commands = ReturnType<typeof createCommands>

/** Makes the actions behind buttons and keys. */
export function createCommands(deps: ReaderDeps, viewer: Viewer, search: Search, bookmarks: Bookmarks) {
  const { data, store, isRightToLeft } = deps
  const reading = canReadAloud() && data.hasText ? new ReadAloud(deps, viewer) : undefined
  return {
    turn: viewer.turn,
    /** Resolves once the page is there. */
    async goTo(page: number): Promise<void> {
      await viewer.goTo(page)
    },
    focusPage: viewer.focusPage,
    zoomIn: () => viewer.zoomTo(store.current.zoom * ZOOM_STEP),
    zoomOut: () => viewer.zoomTo(store.current.zoom / ZOOM_STEP),
    zoomReset: () => viewer.zoomTo(1),
    rotate: () => void (store.current.isText || viewer.rotate()),
    /** The size of the current page as a share of its size on paper. */
    scale: viewer.scale,
    view: viewer.setView,
    /** Switches between the images and the text of the pages. */
    toggleText: () => data.hasText && viewer.showText(!store.current.isText),
    /** Opens a panel, or closes it if it is open. */
    panel: (name: PanelName) => store.set({ panel: store.current.panel === name ? undefined : name }),
    bookmark: bookmarks.toggle,
    nextHit: search.step,
    fullScreen: () => void toggleFullScreen(),
    display: () => openDisplay(deps, viewer, () => void present(deps, viewer)),
    /** Reads aloud from the current page on, or stops; undefined if the device has no voices. */
    readAloud: reading && (() => reading.toggle()),
    share: () => openShare(deps),
    print: () => openPrint(deps, viewer.shown()),
    help: () => openHelp(deps),
    /** Ends reading aloud, else closes the open panel or search; false if there was nothing of these. */
    close(): boolean {
      if (reading?.end()) return true
      if (store.current.panel === undefined && search.current.query === '') return false
      if (store.current.panel === undefined || store.current.panel === 'search') void search.run('')
      store.set({ panel: undefined })
      return true
    },
    downloadAddress: data.download,
    isRightToLeft,
  }
}

async function toggleFullScreen(): Promise<void> {
  const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  // A frame or the system may refuse it.
  await change.catch(() => {})
}

/** Shows one page at a time on the whole screen, as slides are shown. */
async function present({ main }: ReaderDeps, viewer: Viewer): Promise<void> {
  viewer.setView('single')
  viewer.zoomTo(1)
  // The focus came back to the toolbar, which stays as long as it has it.
  main.focus({ preventScroll: true })
  if (document.fullscreenElement === null) await toggleFullScreen()
}

const STORAGE_KEY = 'reader.letters'

/** Returns whether letter keys are shortcuts; people who use speech input turn them off (WCAG 2.2, 2.1.4). */
function areLetterShortcutsOn(): boolean {
  return storedText(STORAGE_KEY) !== 'off'
}

function setLetterShortcuts(isOn: boolean): void {
  storeText(STORAGE_KEY, isOn ? 'on' : 'off')
}

/** Opens the list of shortcuts and gestures. */
function openHelp({ t, data: { hasText } }: ReaderDeps): void {
  const rows: [keys: string[], action: string][] = [
    [
      [t('keyNames.left'), t('keyNames.right'), t('keyNames.space'), t('keyNames.pageUp'), t('keyNames.pageDown')],
      t('keys.turn'),
    ],
    [[t('keyNames.home'), t('keyNames.end')], t('keys.ends')],
    [['G'], t('keys.goTo')],
    [['+', '−', '0'], t('keys.zoom')],
    [['U'], t('rotate')],
    [['V', 'S'], t('keys.views')],
    ...(hasText ? [[['X'], t('textView')] as [string[], string]] : []),
    [['O'], t('contents')],
    [['B'], t('bookmarkPage')],
    [['T'], t('thumbnails')],
    [['/'], t('searchDocument')],
    [['N', `${t('keyNames.shift')} N`], t('keys.hit')],
    ...(hasText && canReadAloud() && speechSynthesis.getVoices().length > 0
      ? [[['R'], t('readAloud')] as [string[], string]]
      : []),
    [['D'], t('display')],
    [['F'], t('fullScreen')],
    [['L'], t('share')],
    [['P'], t('print')],
    [[t('keyNames.escape')], t('keys.escape')],
  ]
  const list = element(
    'dl',
    { class: 'shortcuts' },
    ...rows.map(([names, action]) =>
      element(
        'div',
        {},
        element('dt', {}, ...names.map((name) => element('kbd', {}, name))),
        element('dd', {}, action),
      ),
    ),
  )
  const box = element('input', { type: 'checkbox', checked: areLetterShortcutsOn() })
  box.addEventListener('change', () => setLetterShortcuts(box.checked))
  const letters = element('label', { class: 'choice' }, box, element('span', {}, t('letters')))
  makeDialog(t('shortcuts'), t('close'), list, letters, element('p', { class: 'hint' }, t('gestures'))).showModal()
}

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
