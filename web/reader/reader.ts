import type { Commands } from './input/commands.ts'
import { handleGestures } from './input/gestures.ts'
import { openHelp } from './input/help-dialog.ts'
import { handleLinks } from './input/links.ts'
import { handleKeys } from './input/shortcuts.ts'
import { limitLoadedImages } from './pages/loaded-images.ts'
import { createLoadedPages } from './pages/loaded-pages.ts'
import { watchNearPages } from './pages/near-pages.ts'
import { readPageList } from './pages/page-list.ts'
import { createWordLoader } from './pages/page-words.ts'
import { sharpenPages } from './pages/sharp-images.ts'
import { isRightToLeft } from './pages/spreads.ts'
import { addTextLayers } from './pages/text-layer.ts'
import { createViewer, type Viewer } from './pages/viewer.ts'
import { ZOOM_STEP } from './pages/zoom.ts'
import { createOutline } from './panel/outline.ts'
import { createPanel } from './panel/panel.ts'
import { createThumbnails } from './panel/thumbnails.ts'
import { openPrint } from './print/print-dialog.ts'
import styles from './reader.css?inline'
import { createHitBar } from './search/hit-bar.ts'
import { createSearch, type Search } from './search/search.ts'
import { createSearchPanel } from './search/search-panel.ts'
import { type ReaderData, readData } from './state/reader-data.ts'
import { createReaderStore } from './state/reader-store.ts'
import { pageFromHash, type ReadingPosition, readSavedPosition, savePosition } from './state/reading-position.ts'
import { reportReading } from './state/reading-report.ts'
import { fillToolbar } from './toolbar/toolbar.ts'
import { createAnnouncer } from './ui/announcer.ts'
import { type ReaderTexts, readerTexts } from './ui/texts.ts'
import { showToast } from './ui/toast.ts'

// Turns the public page of a publication into a reader without moving anything on the screen.

const data = readData(document)
const main = document.getElementById('pages')
const bar = document.getElementById('reader-bar')
if (data !== undefined && main !== null && bar !== null) start(data, main, bar)

function start(data: ReaderData, main: HTMLElement, bar: HTMLElement): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
  const texts = readerTexts[data.interfaceLanguage]
  const saved = readSavedPosition(data.slug)
  const view = saved?.view ?? 'scroll'
  const store = createReaderStore({ page: data.from, view, zoom: 1, panel: undefined })
  const rightToLeft = isRightToLeft(data.documentLanguage)
  document.documentElement.classList.toggle('right-to-left', rightToLeft)

  const announce = createAnnouncer()
  const pages = createLoadedPages(main, data)
  const nearPages = watchNearPages(pages)
  const images = limitLoadedImages(main, pages, nearPages)
  const onResize = sharpenPages(nearPages)
  const viewer = createViewer({ data, texts, main, pages, images, store, announce, onResize })
  const wordsOf = createWordLoader(data.words)
  addTextLayers(nearPages, wordsOf)
  const search = createSearch({ address: data.search, texts, store, viewer, nearPages, wordsOf, announce })

  const { pageCount } = data
  const listPages = () => readPageList(pages, data)
  const commands: Commands = {
    turn: viewer.turn,
    goTo: (page) => void viewer.goTo(page),
    zoomIn: () => viewer.zoomTo(store.current.zoom * ZOOM_STEP),
    zoomOut: () => viewer.zoomTo(store.current.zoom / ZOOM_STEP),
    zoomReset: () => viewer.zoomTo(1),
    view: viewer.setView,
    panel: (name) => store.set({ panel: store.current.panel === name ? undefined : name }),
    nextHit: search.step,
    fullScreen: () => void toggleFullScreen(),
    print: () => openPrint({ texts, pageCount, shown: viewer.shown(), listPages, pdf: `${data.api}/pdf`, announce }),
    help: () => openHelp(texts),
    close() {
      if (store.current.panel === undefined && search.current.query === '') return false
      if (store.current.panel === undefined || store.current.panel === 'search') void search.run('')
      store.set({ panel: undefined })
      return true
    },
    downloadAddress: data.download,
    isRightToLeft: rightToLeft,
  }
  fillToolbar({ bar, title: data.title, pageCount, texts, store, commands })
  const contents = {
    contents: createOutline(store, texts),
    thumbnails: createThumbnails(listPages, store, texts),
    search: createSearchPanel(search, texts, data.documentLanguage),
  }
  createPanel(contents, store, texts, (name) => {
    if (name === 'search') void search.run('')
  })
  createHitBar(search, store, texts)
  handleKeys(commands, store, main, pageCount)
  handleGestures({ main, viewer, store, isRightToLeft: rightToLeft })
  handleLinks(viewer, store)
  store.subscribe((now, before) => {
    if (now.panel !== before.panel) viewer.fit()
  })
  addEventListener('resize', viewer.fit)
  savePosition(data.slug, store)
  reportReading(data.reading, store, viewer.shown)
  // The page of a returning reader is hidden until it is at the saved position.
  void openInitialPage(data, saved, viewer, search, texts).finally(() =>
    document.documentElement.classList.remove('returning'),
  )
}

/** Opens the page in the address, or the saved position, unless the reader has already moved on. */
async function openInitialPage(
  data: ReaderData,
  saved: ReadingPosition | undefined,
  viewer: Viewer,
  search: Search,
  texts: ReaderTexts,
): Promise<void> {
  const addressed = pageFromHash(location.hash)
  const query = new URLSearchParams(location.search).get('q')?.slice(0, 200).trim()
  const isUntouched = scrollY < 10 && data.from === 1 && !query
  // The document may have been longer at the last visit.
  const savedPage = Math.min(saved?.page ?? 1, data.pageCount)
  const isResumed = addressed === undefined && isUntouched && savedPage > 1
  const page = addressed ?? (isResumed ? savedPage : data.from)
  const hasPosition = addressed !== undefined || isResumed || (saved && saved.view !== 'scroll')
  if (hasPosition) await viewer.goTo(page, { isQuiet: !isResumed })
  if (isResumed) showToast(texts.resumed(page), texts.fromBeginning, () => void viewer.goTo(1))
  if (!query) return
  await search.run(query)
  search.step(1)
}

async function toggleFullScreen(): Promise<void> {
  const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  // A frame or the system may refuse it.
  await change.catch(() => {})
}
