// Service worker of the spectators' pages: without a network, a reload shows the page as it was last known.

/** The events of a service worker that are used here; the types of the page's scripts do not have them. */
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void }
type FetchEvent = WorkerEvent & { request: Request; respondWith(answer: Promise<Response>): void }

const worker = self as unknown as {
  skipWaiting(): Promise<void>
  addEventListener(type: 'install', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}

/** Pages by their addresses, which `keep-page.ts` writes, too, and files, which never change. */
const PAGES = 'trackpress-pages'
const FILES = 'trackpress-files'
/** Entries that are kept. The files of an earlier version are not asked for any more. */
const MAX_ENTRIES = { [PAGES]: 10, [FILES]: 80 }

// The page of a first visit goes on without it, so that its first view does not pass through here.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (pathname.startsWith('/s/_/assets/')) event.respondWith(findFile(request))
  else if (request.mode === 'navigate' && pathname.startsWith('/s/')) event.respondWith(openPage(request))
})

async function findFile(request: Request): Promise<Response> {
  const known = await (await caches.open(FILES)).match(request.url)
  if (known !== undefined) return known
  const answer = await fetch(request)
  if (answer.status === 200) await keep(FILES, request.url, answer.clone())
  return answer
}

/** Asks the server first. A page whose share has ended is forgotten. */
async function openPage(request: Request): Promise<Response> {
  const pages = await caches.open(PAGES)
  try {
    const answer = await fetch(request)
    if (answer.status === 200) await keep(PAGES, request.url, answer.clone())
    else if (answer.status < 500) await pages.delete(request.url)
    return answer
  } catch (error) {
    const known = await pages.match(request.url)
    if (known === undefined) throw error
    const html = (await known.text()).replace('<p id="offline" hidden', '<p id="offline"')
    return new Response(html, { headers: known.headers })
  }
}

async function keep(name: keyof typeof MAX_ENTRIES, address: string, answer: Response): Promise<void> {
  const cache = await caches.open(name)
  await cache.put(address, answer)
  const entries = await cache.keys()
  for (const oldest of entries.slice(0, Math.max(0, entries.length - MAX_ENTRIES[name]))) await cache.delete(oldest)
}
