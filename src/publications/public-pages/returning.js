// Whoever has read here before is led back to where they were, once the reader is there. Until then the page is not
// shown, so that nobody sees it move. This runs before anything is drawn, and only in this case does anything.

try {
  const [, slug] = /\/p\/([^/]+)/.exec(location.pathname)
  const { page, view } = JSON.parse(localStorage.getItem(`reader/${slug}`))
  const isLedBack = page > 1 && location.hash === '' && !/[?&](?:from|q)=/.test(location.search)
  if (isLedBack || view !== 'scroll') document.documentElement.classList.add('returning')
} catch {
  // Nothing is remembered, or the browser keeps nothing.
}
