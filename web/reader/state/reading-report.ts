import type { ReaderStore } from './reader-store.ts'

/** A reader without any input for this long has stopped reading. */
const IDLE_MS = 60_000
/** A page on the screen for less was only passed. */
const MIN_VIEW_MS = 1_000

/** Reports the pages read and the reading time when the reader leaves, if the server counts reading. */
export function reportReading(address: string | undefined, store: ReaderStore, shown: () => number[]): void {
  if (address === undefined) return
  const seen = new Set<number>()
  /** Pages of earlier reports: coming back to one is not reading it again. */
  const reported = new Set<number>()
  let activeMs = 0
  let lastInputMs = performance.now()
  let lastTickMs = performance.now()
  let since = { page: store.current.page, at: performance.now() }

  for (const type of ['scroll', 'pointerdown', 'pointermove', 'keydown', 'touchstart'])
    addEventListener(type, () => (lastInputMs = performance.now()), { passive: true, capture: true })
  setInterval(tick, 1_000)
  document.addEventListener('visibilitychange', () => {
    tick()
    if (document.visibilityState === 'hidden') send()
    lastTickMs = performance.now()
  })
  // Some browsers fire no visibilitychange when the page is left for another.
  addEventListener('pagehide', () => {
    tick()
    send()
  })

  function tick(): void {
    const now = performance.now()
    if (document.visibilityState === 'visible' && now - lastInputMs < IDLE_MS)
      activeMs += Math.min(now - lastTickMs, 2_000)
    lastTickMs = now
    if (since.page !== store.current.page) since = { page: store.current.page, at: now }
    else if (now - since.at >= MIN_VIEW_MS) for (const page of shown()) if (!reported.has(page)) seen.add(page)
  }

  function send(): void {
    const seconds = Math.round(activeMs / 1_000)
    if (seen.size === 0 && seconds === 0) return
    const body = JSON.stringify({ pages: [...seen].slice(0, 500), seconds })
    for (const page of seen) reported.add(page)
    seen.clear()
    activeMs = 0
    // Plain text needs no CORS preflight, for which there is no time when a page is left.
    const isSent = navigator.sendBeacon?.(address!, body)
    if (!isSent) void fetch(address!, { method: 'POST', body, keepalive: true })
  }
}
