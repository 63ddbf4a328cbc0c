import type { Commands } from './input/commands.ts'
import { followGestures } from './input/gestures.ts'
import { openHelp } from './input/help-dialog.ts'
import { followLinks } from './input/links.ts'
import { followKeys } from './input/shortcuts.ts'
import { boundImages } from './pages/loaded-images.ts'
import { createLoadedPages } from './pages/loaded-pages.ts'
import { watchNearPages } from './pages/near-pages.ts'
import { readCatalogue } from './pages/page-list.ts'
import { createPageWords } from './pages/page-words.ts'
import { sharpenPages } from './pages/sharp-images.ts'
import { isRightToLeft } from './pages/spreads.ts'
import { layText } from './pages/text-layer.ts'
import { createViewer, type Viewer, ZOOM_STEP } from './pages/viewer.ts'
import { createOutline } from './panel/outline.ts'
import { createPanel } from './panel/panel.ts'
import { createThumbnails } from './panel/thumbnails.ts'
import { openPrint } from './print/print-dialog.ts'
import styles from './reader.css?inline'
import { createHitBar } from './search/hit-bar.ts'
import { createSearch, type Search } from './search/search.ts'
import { createSearchPanel } from './search/search-panel.ts'
import { type ReaderData, readData } from './state/reader-data.ts'
import { createReadingState } from './state/reader-state.ts'
import { keepPlace, type Place, pageInAddress, rememberedPlace } from './state/reading-position.ts'
import { reportReading } from './state/reading-report.ts'
import { fillToolbar } from './toolbar/toolbar.ts'
import { createAnnouncer } from './ui/announcer.ts'
import { type ReaderTexts, readerTexts } from './ui/texts.ts'
import { showToast } from './ui/toast.ts'

// Turns the public page of a publication into a reader, in place: what is on the screen stays where it is.

const data = readData(document)
const main = document.getElementById('pages')
const bar = document.getElementById('reader-bar')
if (data !== undefined && main !== null && bar !== null) start(data, main, bar)

function start(data: ReaderData, main: HTMLElement, bar: HTMLElement): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
  const texts = readerTexts[data.interfaceLanguage]
  const remembered = rememberedPlace(data.slug)
  const view = remembered?.view ?? 'scroll'
  const state = createReadingState({ page: data.from, view, zoom: 1, panel: undefined })
  const rightToLeft = isRightToLeft(data.documentLanguage)
  document.documentElement.classList.toggle('right-to-left', rightToLeft)

  const announce = createAnnouncer()
  const pages = createLoadedPages(main, data)
  const nearPages = watchNearPages(pages)
  const images = boundImages(main, pages, nearPages)
  const onResize = sharpenPages(nearPages)
  const viewer = createViewer({ data, texts, main, pages, images, state, announce, onResize })
  const wordsOf = createPageWords(data.words)
  layText(nearPages, wordsOf)
  const search = createSearch({ address: data.search, texts, state, viewer, nearPages, wordsOf, announce })

  const { pageCount } = data
  const catalogue = () => readCatalogue(pages, data)
  const commands: Commands = {
    turn: viewer.turn,
    goTo: (page) => void viewer.goTo(page),
    zoomIn: () => viewer.zoomTo(state.now.zoom * ZOOM_STEP),
    zoomOut: () => viewer.zoomTo(state.now.zoom / ZOOM_STEP),
    zoomReset: () => viewer.zoomTo(1),
    view: viewer.setView,
    panel: (name) => state.set({ panel: state.now.panel === name ? undefined : name }),
    nextHit: search.step,
    fullScreen: () => void toggleFullScreen(),
    print: () => openPrint({ texts, pageCount, shown: viewer.shown(), catalogue, pdf: `${data.api}/pdf`, announce }),
    help: () => openHelp(texts),
    close() {
      if (state.now.panel === undefined && search.now.query === '') return false
      if (state.now.panel === undefined || state.now.panel === 'search') void search.run('')
      state.set({ panel: undefined })
      return true
    },
    downloadAddress: data.download,
    isRightToLeft: rightToLeft,
  }
  fillToolbar({ bar, title: data.title, pageCount, texts, state, commands })
  const contents = {
    contents: createOutline(state, texts),
    thumbnails: createThumbnails(catalogue, state, texts),
    search: createSearchPanel(search, texts, data.documentLanguage),
  }
  createPanel(contents, state, texts, (name) => {
    if (name === 'search') void search.run('')
  })
  createHitBar(search, state, texts)
  followKeys(commands, state, main, pageCount)
  followGestures({ main, viewer, state, isRightToLeft: rightToLeft })
  followLinks(viewer, state)
  state.follow((now, before) => {
    if (now.panel !== before.panel) viewer.fit()
  })
  addEventListener('resize', viewer.fit)
  keepPlace(data.slug, state)
  reportReading(data.reading, state, viewer.shown)
  // Who has a place sees the page from now on, and not how it got there.
  void findPlace(data, remembered, viewer, search, texts).finally(() =>
    document.documentElement.classList.remove('returning'),
  )
}

/** Goes where the address says, or where somebody was the last time, unless they have gone somewhere already. */
async function findPlace(
  data: ReaderData,
  remembered: Place | undefined,
  viewer: Viewer,
  search: Search,
  texts: ReaderTexts,
): Promise<void> {
  const addressed = pageInAddress(location.hash)
  const query = new URLSearchParams(location.search).get('q')?.slice(0, 200).trim()
  const isUntouched = scrollY < 10 && data.from === 1 && !query
  // The document may have been longer then.
  const last = Math.min(remembered?.page ?? 1, data.pageCount)
  const isLedBack = addressed === undefined && isUntouched && last > 1
  const page = addressed ?? (isLedBack ? last : data.from)
  const isSomewhere = addressed !== undefined || isLedBack || (remembered && remembered.view !== 'scroll')
  if (isSomewhere) await viewer.goTo(page, { isQuiet: !isLedBack })
  if (isLedBack) showToast(texts.continued(page), texts.fromBeginning, () => void viewer.goTo(1))
  if (!query) return
  await search.run(query)
  search.step(1)
}

async function toggleFullScreen(): Promise<void> {
  const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()
  // Refused where a frame or the system does not allow it.
  await change.catch(() => {})
}
