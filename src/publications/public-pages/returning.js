// Hides the page of a returning reader until the reader has scrolled it to the saved position, so that nothing visibly
// moves. Runs before the first paint, and does nothing for new readers.

try {
  const [, slug] = /\/p\/([^/]+)/.exec(location.pathname)
  const { page, view } = JSON.parse(localStorage.getItem(`reader/${slug}`))
  const isResumed = page > 1 && location.hash === '' && !/[?&](?:from|q)=/.test(location.search)
  if (isResumed || view !== 'scroll') document.documentElement.classList.add('returning')
} catch {
  // Nothing is saved, or storage is off.
}
