// Runs before the first paint. Nothing of it is needed for reading, and the reader takes over from it.

const { documentElement: root } = document

/** Time after which images are loaded in any order, if the reader has not taken over. */
const READER_WITHIN_MS = 6_000

// On a slow line, the images of the next pages would compete with that of the page on the screen. Until it has loaded,
// the stylesheet leaves them out.
root.classList.add('first-image')
const loadOthers = () => root.classList.remove('first-image')
const watch = ({ target }) => {
  // Where the page begins with the image of the one that the address names, the reader has yet to come to that page.
  const isWaiting = document.querySelector('.lead') !== null
  if (target instanceof HTMLImageElement && target.closest('section.page') !== null && !isWaiting) loadOthers()
}
for (const end of ['load', 'error']) addEventListener(end, watch, true)
setTimeout(loadOthers, READER_WITHIN_MS)

// Without scripts, the stylesheet finds out itself whether the text is chosen. That makes every change of the page style
// all pages of the document anew.
root.classList.add('scripted')
addEventListener('change', ({ target: { id } }) => {
  if (id === 'view-text' || id === 'view-pages') root.classList.toggle('reading-text', id === 'view-text')
})

// Colours that the reader chose at an earlier visit.
try {
  const { theme, isDimmed } = JSON.parse(localStorage.getItem('reader.appearance')) ?? {}
  if (theme) root.dataset.theme = theme
  root.classList.toggle('dimmed', isDimmed === true)
} catch {
  // Nothing is saved, or storage is off: the colours are those of the system.
}

// The browser restores the distance from the top, which stands for another page after a change of layout. The reader
// restores the place. Until then, the page is hidden, so that nothing visibly moves.
history.scrollRestoration = 'manual'
try {
  const [, slug] = /([^/]+?)(?:\/embed)?\/?$/.exec(location.pathname)
  const { type } = performance.getEntriesByType('navigation')[0]
  const isKept = type !== 'navigate' && sessionStorage.getItem(`reader-place/${slug}`) !== null
  // In a frame, the site around it says where reading begins.
  const saved = location.pathname.endsWith('/embed') ? null : JSON.parse(localStorage.getItem(`reader/${slug}`))
  const { page, view, isText } = saved ?? {}
  const isResumed = page > 1 && location.hash === '' && !/[?&](?:from|page|q)=/.test(location.search)
  const isFirst = view === undefined && document.querySelector('meta[name="first-view"]') !== null
  const isOtherView = isFirst || (view !== undefined && (view !== 'scroll' || isText))
  if (isKept || isResumed || isOtherView) root.classList.add('returning')
} catch {
  // Nothing is saved, or storage is off.
}
