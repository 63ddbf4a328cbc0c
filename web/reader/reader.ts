import { createLoadedPages } from './document/loaded-pages.ts'
import { watchNearPages } from './document/near-pages.ts'
import { readPageList } from './document/page-list.ts'
import { createWordLoader } from './document/page-words.ts'
import { retryFailedImages } from './images/failed-images.ts'
import { limitLoadedImages } from './images/loaded-images.ts'
import { sharpenPages } from './images/sharp-images.ts'
import { loadVisibleFirst } from './images/visible-first.ts'
import { createCommands } from './input/create-commands.ts'
import { handleGestures } from './input/gestures.ts'
import { handleLinks } from './input/links.ts'
import { handleKeys } from './input/shortcuts.ts'
import { type KeptPlace, keepPlace, readKeptPlace } from './pages/kept-place.ts'
import { isRightToLeft } from './pages/spreads.ts'
import { addTextLayers } from './pages/text-layer.ts'
import { createViewer, type Viewer } from './pages/viewer.ts'
import { createOutline } from './panel/outline.ts'
import { createPanel } from './panel/panel.ts'
import { createThumbnails } from './panel/thumbnails.ts'
import { openPrint } from './print/print-dialog.ts'
import styles from './reader.css?inline'
import { createHitBar } from './search/hit-bar.ts'
import { createSearch, type Search } from './search/search.ts'
import { createSearchPanel } from './search/search-panel.ts'
import { type ReaderData, readData } from './state/reader-data.ts'
import { createReaderStore, type ReaderState, type ReaderStore } from './state/reader-store.ts'
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
  const kept = readKeptPlace(data.slug)
  const saved = readSavedPosition(data.slug)
  const store = createReaderStore(initialState(data, kept, saved))
  const rightToLeft = isRightToLeft(data.documentLanguage)
  document.documentElement.classList.toggle('right-to-left', rightToLeft)

  const announce = createAnnouncer()
  const pages = createLoadedPages(main, data)
  const nearPages = watchNearPages(pages)
  const images = limitLoadedImages(main, pages, nearPages)
  loadVisibleFirst({ main, nearPages })
  const onResize = sharpenPages(nearPages)
  const viewer = createViewer({ data, texts, main, pages, images, store, announce, onResize })
  const wordsOf = createWordLoader(data.words)
  addTextLayers(nearPages, wordsOf)
  retryFailedImages({ main, pages, nearPages, texts, announce, shown: viewer.shown })
  const search = createSearch({ address: data.search, texts, store, viewer, nearPages, wordsOf, announce })

  const { pageCount } = data
  const listPages = () => readPageList(pages, data)
  const print = () =>
    openPrint({ texts, pageCount, shown: viewer.shown(), listPages, pdf: `${data.api}/pdf`, announce })
  const commands = createCommands({ data, texts, store, viewer, search, print, isRightToLeft: rightToLeft })
  fillToolbar({ bar, title: data.title, pageCount, texts, store, commands, onHeight: viewer.fit })
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
  // The page of a returning reader is hidden until it is at its place.
  void openInitialPage({ data, kept, saved, viewer, store, search, texts }).finally(() => {
    document.documentElement.classList.remove('returning')
    keepPlace(data.slug, store, viewer.place)
  })
}

function initialState(data: ReaderData, kept: KeptPlace | undefined, saved: ReadingPosition | undefined): ReaderState {
  const { view = 'scroll', isText = false } = kept ?? saved ?? {}
  return { page: data.from, view, isText, zoom: 1, panel: undefined }
}

type Opening = {
  data: ReaderData
  kept: KeptPlace | undefined
  saved: ReadingPosition | undefined
  viewer: Viewer
  store: ReaderStore
  search: Search
  texts: ReaderTexts
}

/**
 * Opens the place of a reloaded page, the page in the address or the saved position, unless the reader has already
 * moved on.
 */
async function openInitialPage({ data, kept, saved, viewer, store, search, texts }: Opening): Promise<void> {
  const query = new URLSearchParams(location.search).get('q')?.slice(0, 200).trim()
  if (kept !== undefined) {
    await viewer.restore(kept)
    if (query) await search.run(query)
    return
  }
  const addressed = pageFromHash(location.hash)
  const isUntouched = scrollY < 10 && data.from === 1 && !query
  // The document may have been longer at the last visit.
  const savedPage = Math.min(saved?.page ?? 1, data.pageCount)
  const isResumed = addressed === undefined && isUntouched && savedPage > 1
  const page = addressed ?? (isResumed ? savedPage : data.from)
  const hasPosition = addressed !== undefined || isResumed || (saved && saved.view !== 'scroll') || saved?.isText
  if (hasPosition) await viewer.goTo(page, { isQuiet: !isResumed })
  if (isResumed) {
    const end = showToast(texts.resumed(page), texts.fromBeginning, () => void viewer.goTo(1))
    store.subscribe(end)
  }
  if (!query) return
  await search.run(query)
  search.step(1)
}
