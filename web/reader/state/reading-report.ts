import type { ReadingState } from './reader-state.ts'

/** Whoever does nothing for so long is not reading any more. */
const IDLE_MS = 60_000
/** A page that was looked at for less was leafed through. */
const SEEN_MS = 1_000

/** Tells which pages were read and for how long, when somebody leaves, if the server wants to know. */
export function reportReading(address: string | undefined, state: ReadingState, shown: () => number[]): void {
  if (address === undefined) return
  const seen = new Set<number>()
  /** Whoever leaves and comes back to where they were has not read it again. */
  const told = new Set<number>()
  let activeMs = 0
  let lastSign = performance.now()
  let lastTick = performance.now()
  let since = { page: state.now.page, at: performance.now() }

  for (const sign of ['scroll', 'pointerdown', 'pointermove', 'keydown', 'touchstart'])
    addEventListener(sign, () => (lastSign = performance.now()), { passive: true, capture: true })
  setInterval(tick, 1_000)
  document.addEventListener('visibilitychange', () => {
    tick()
    if (document.visibilityState === 'hidden') send()
    lastTick = performance.now()
  })
  // Not every browser says that a page is hidden when it is left for another.
  addEventListener('pagehide', () => {
    tick()
    send()
  })

  function tick(): void {
    const now = performance.now()
    if (document.visibilityState === 'visible' && now - lastSign < IDLE_MS) activeMs += Math.min(now - lastTick, 2_000)
    lastTick = now
    if (since.page !== state.now.page) since = { page: state.now.page, at: now }
    else if (now - since.at >= SEEN_MS) for (const page of shown()) if (!told.has(page)) seen.add(page)
  }

  function send(): void {
    const seconds = Math.round(activeMs / 1_000)
    if (seen.size === 0 && seconds === 0) return
    const body = JSON.stringify({ pages: [...seen].slice(0, 500), seconds })
    for (const page of seen) told.add(page)
    seen.clear()
    activeMs = 0
    // As plain text, so that no browser has to ask the other origin first: when a page is left there is no time for it.
    const isSent = navigator.sendBeacon?.(address!, body)
    if (!isSent) void fetch(address!, { method: 'POST', body, keepalive: true })
  }
}
