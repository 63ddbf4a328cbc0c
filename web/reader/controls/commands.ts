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
export function areLetterShortcutsOn(): boolean {
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
