import type { Viewer } from '../pages/viewer.ts'
import { ZOOM_STEP } from '../pages/zoom.ts'
import type { Search } from '../search/search.ts'
import type { ReaderData } from '../state/reader-data.ts'
import type { ReaderStore } from '../state/reader-store.ts'
import type { ReaderTexts } from '../ui/texts.ts'
import type { Commands } from './commands.ts'
import { openHelp } from './help-dialog.ts'

type Deps = {
  data: ReaderData
  texts: ReaderTexts
  store: ReaderStore
  viewer: Viewer
  search: Search
  print(): void
  isRightToLeft: boolean
}

/** Connects the actions behind buttons and keys with what carries them out. */
export function createCommands({ data, texts, store, viewer, search, print, isRightToLeft }: Deps): Commands {
  return {
    turn: viewer.turn,
    async goTo(page) {
      await viewer.goTo(page)
    },
    focusPage: viewer.focusPage,
    zoomIn: () => viewer.zoomTo(store.current.zoom * ZOOM_STEP),
    zoomOut: () => viewer.zoomTo(store.current.zoom / ZOOM_STEP),
    zoomReset: () => viewer.zoomTo(1),
    view: viewer.setView,
    toggleText: () => viewer.showText(!store.current.isText),
    panel: (name) => store.set({ panel: store.current.panel === name ? undefined : name }),
    nextHit: search.step,
    fullScreen: () => void toggleFullScreen(),
    print,
    help: () => openHelp(texts),
    close() {
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
