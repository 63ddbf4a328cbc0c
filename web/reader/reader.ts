import { createBookmarks } from './controls/bookmarks.ts'
import { createCommands, handleKeys } from './controls/commands.ts'
import { handleGestures, handleLinks } from './controls/gestures.ts'
import { handleMouse } from './controls/page-turning.ts'
import { createOutline, createPanel } from './controls/panel.ts'
import { createThumbnails } from './controls/thumbnails.ts'
import { fillToolbar } from './controls/toolbar.ts'
import { createLoadedPages, readPageList, watchNearPages } from './document/loaded-pages.ts'
import { createStore, type ReaderData, type ReaderState, readData, type View } from './document/reader-state.ts'
import {
  pageFromHash,
  type ReadingPosition,
  readSavedPosition,
  reportReading,
  savePosition,
} from './document/reading-position.ts'
import { createAnnouncer, showToast } from './messages.ts'
import { retryFailedImages } from './pages/failed-images.ts'
import { limitLoadedImages, sharpenPages } from './pages/loaded-images.ts'
import { loadVisibleFirst } from './pages/page-image.ts'
import { NARROW_SPREAD, offeredView } from './pages/page-layout.ts'
import { type KeptPlace, keepPlace, readKeptPlace } from './pages/place.ts'
import type { ReaderDeps } from './pages/reader-deps.ts'
import { keepRightToRead } from './pages/renewed-addresses.ts'
import { addTextLayers } from './pages/text-layer.ts'
import { createViewer, type Viewer } from './pages/viewer.ts'
import { createWordLoader } from './pages/words.ts'
import styles from './reader.css?inline'
import { openPassage, passageInAddress } from './search/passage.ts'
import { createSearch, type Search } from './search/search.ts'
import { createHitBar, createSearchPanel } from './search/search-panel.ts'
import { hasReaderTexts, readerTexts } from './texts.ts'

// Turns the public page of a publication into a reader without moving anything on the screen.

const data = readData(document)
const main = document.getElementById('pages')
const bar = document.getElementById('reader-bar')
if (data !== undefined && main !== null && bar !== null) start(data, main, bar)

function start(data: ReaderData, main: HTMLElement, bar: HTMLElement): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
  const t = readerTexts(data.interfaceLanguage)
  const kept = readKeptPlace(data.slug)
  // In a frame, the site around it says where reading begins.
  const saved = document.body.classList.contains('embed') ? undefined : readSavedPosition(data.slug)
  const store = createStore<ReaderState>(initialState(data, kept, saved))
  const isRightToLeft = data.isRightToLeft === true
  document.documentElement.classList.toggle('right-to-left', isRightToLeft)

  const announce = createAnnouncer()
  const pages = createLoadedPages(main, data)
  const nearPages = watchNearPages(pages)
  const wordsOf = createWordLoader(data.words)
  const deps = { data, isRightToLeft, t, main, bar, store, announce, pages, nearPages, wordsOf }
  const images = limitLoadedImages(main, pages, nearPages)
  loadVisibleFirst(main, nearPages)
  const viewer = createViewer(deps, images, sharpenPages(nearPages))
  addTextLayers(nearPages, wordsOf)
  retryFailedImages(deps, viewer.shown)
  keepRightToRead(deps)
  const search = createSearch(deps, viewer)
  createHitBar(search, store, t)

  const bookmarks = createBookmarks(deps)
  const commands = createCommands(deps, viewer, search, bookmarks)
  fillToolbar(deps, commands, bookmarks, viewer.fit)
  const contents = {
    contents: createOutline(deps, bookmarks),
    thumbnails: createThumbnails(() => readPageList(pages, data), bookmarks, deps),
    search: createSearchPanel(search, t, data.documentLanguage),
  }
  createPanel(contents, store, t, (name) => {
    if (name === 'search') void search.run('')
  })
  handleKeys(deps, commands)
  handleGestures(deps, viewer)
  handleMouse(deps, viewer)
  handleLinks(viewer, store)
  store.subscribe((now, before) => {
    if (now.panel !== before.panel) viewer.fit()
  })
  addEventListener('resize', viewer.fit)
  matchMedia(NARROW_SPREAD).addEventListener('change', () => viewer.setView(store.current.view))
  savePosition(data, pages, store)
  reportReading(data.reading, store, viewer.shown)
  // The page of a returning reader is hidden until it is at its place.
  void openInitialPage({ deps, kept, saved, viewer, search }).finally(() => {
    document.documentElement.classList.remove('returning')
    keepPlace(data.slug, store, viewer.place)
    sayLanguageOnce(deps)
  })
}

const LANGUAGE_TOLD = 'reader.language'

/**
 * Tells readers once on this device that the reader is in English because it has no texts in their language. A folder
 * for offline reading has the language of its document, which is no reason to tell anything.
 */
function sayLanguageOnce({ data: { interfaceLanguage }, t, announce }: ReaderDeps): void {
  const isTheirs = navigator.languages.some((tag) => hasReaderTexts(tag.split('-')[0]))
  const isBusy = document.querySelector('.toast, body.embed') !== null
  if (isTheirs || isBusy || interfaceLanguage !== 'en') return
  try {
    if (localStorage.getItem(LANGUAGE_TOLD) !== null) return
    localStorage.setItem(LANGUAGE_TOLD, interfaceLanguage)
  } catch {
    // Without storage they would be told at each visit.
    return
  }
  const names = new Intl.DisplayNames(interfaceLanguage, { type: 'language' })
  const text = t('otherLanguage', { language: names.of(navigator.language.split('-')[0]) ?? navigator.language })
  showToast(text, t('close'), () => {})
  announce(text, true)
}

function initialState(data: ReaderData, kept: KeptPlace | undefined, saved: ReadingPosition | undefined): ReaderState {
  const { view = firstView(), isText = false } = kept ?? saved ?? {}
  return {
    page: data.from,
    view: offeredView(view),
    isText: isText && data.hasText,
    zoom: 1,
    rotation: saved?.rotation ?? 0,
    panel: undefined,
  }
}

/** Returns the view in which the publisher lets readers begin. */
function firstView(): View {
  const name = document.querySelector<HTMLMetaElement>('meta[name="first-view"]')?.content
  return name === 'book' ? 'spread' : name === 'slides' ? 'single' : 'scroll'
}

type Opening = {
  deps: ReaderDeps
  kept: KeptPlace | undefined
  saved: ReadingPosition | undefined
  viewer: Viewer
  search: Search
}

/**
 * Opens the place of a reloaded page, the page in the address or the saved position, unless the reader has already
 * moved on.
 */
async function openInitialPage({ deps, kept, saved, viewer, search }: Opening): Promise<void> {
  const { data, store, t } = deps
  const query = new URLSearchParams(location.search).get('q')?.slice(0, 200).trim()
  // The stylesheet then leaves out the image that the page began with.
  document.documentElement.classList.add('arrived')
  if (kept !== undefined) {
    await viewer.restore(kept)
    if (query) await search.run(query)
    return
  }
  const addressed = pageFromHash(location.hash) ?? data.openAt
  const isUntouched = scrollY < 10 && data.from === 1 && !query
  // The document may have been longer at the last visit.
  const savedPage = Math.min(saved?.page ?? 1, data.pageCount)
  const isResumed = addressed === undefined && isUntouched && savedPage > 1
  const page = addressed ?? (isResumed ? savedPage : data.from)
  const hasPosition = addressed !== undefined || isResumed || store.current.view !== 'scroll' || saved?.isText
  if (hasPosition) await viewer.goTo(page, { isQuiet: !isResumed, isOpening: true })
  if (isResumed) {
    const end = showToast(t('resumed', { page }), t('fromBeginning'), () => void viewer.goTo(1))
    store.subscribe(end)
  }
  const passage = passageInAddress(new URL(location.href))
  if (passage !== undefined && !(await openPassage(deps, viewer, passage)))
    showToast(t('passageGone'), t('searchDocument'), () => {
      store.set({ panel: 'search' })
      void search.run(passage.first)
    })
  if (!query) return
  await search.run(query)
  search.step(1)
}
