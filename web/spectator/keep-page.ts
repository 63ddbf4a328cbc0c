/** Cache of `worker.ts`. */
const PAGES = 'trackpress-pages'
/** Age of the kept page while it is looked at: the server makes a page for it, and many thousands may be open. */
const KEPT_EVERY_MS = 600_000
/** Age of the kept page when it is put away: who looks again may have no network then. */
const KEPT_BEFORE_LEAVING_MS = 120_000

let keptAtMs = 0

/**
 * Keeps the page for a reload without a network, as it was ten minutes ago at most, and says how old it is if it was
 * opened without one.
 */
export function keepPage(): void {
  tellAge()
  const { worker } = document.body.dataset
  if (worker === undefined || !('serviceWorker' in navigator)) return
  // Where it is refused, as in private windows, the page works without it.
  navigator.serviceWorker.register(worker, { scope: '/s/' }).then(refresh, () => {})
  setInterval(() => document.hidden || refresh(), KEPT_EVERY_MS)
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && performance.now() - keptAtMs > KEPT_BEFORE_LEAVING_MS) void refresh()
  })
}

/** Hides the page's words of a missing network. */
export function showNetwork(): void {
  document.getElementById('offline')?.remove()
}

async function refresh(): Promise<void> {
  if (!navigator.onLine) return
  keptAtMs = performance.now()
  const address = location.origin + location.pathname + location.search
  try {
    const answer = await fetch(address, { keepalive: true })
    if (answer.status === 200) await (await caches.open(PAGES)).put(address, answer)
  } catch {
    // Without a network, the page that is kept stays.
  }
}

/** Adds the age to the time of the state that is shown. */
function tellAge(): void {
  const notice = document.getElementById('offline')
  if (notice === null || notice.hidden) return
  const seconds = Math.max(1, Math.round((Date.now() - Number(notice.dataset.asOfMs)) / 1000))
  notice.textContent = `${notice.textContent.trim().replace(/\.$/, '')} (${ageOf(seconds)}).`
}

/** Returns an age in the largest unit of which it has one. */
function ageOf(seconds: number): string {
  const since = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'always' })
  if (seconds < 60) return since.format(-seconds, 'second')
  if (seconds < 3600) return since.format(-Math.round(seconds / 60), 'minute')
  return since.format(-Math.round(seconds / 3600), 'hour')
}
