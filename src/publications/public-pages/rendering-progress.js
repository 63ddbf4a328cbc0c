// While pages are being prepared: shows how many are ready, fills in their text, and retries images that were not ready
// in time. The page is complete without it.

const data = JSON.parse(document.getElementById('publication-data')?.textContent ?? '{}')
const banner = document.getElementById('progress')

/** Pause before an image is requested again that was not ready within the server's time limit. */
const RETRY_IMAGE_MS = 3_000
const MAX_RETRIES = 20
/** The interval at which a page without scripts reloads. */
const POLL_MS = 5_000

function showProgress(ready) {
  const count = banner.querySelector('.count')
  const text = ready < 2 ? banner.dataset.one : banner.dataset.many
  count.textContent = text.replace(/\d+/, String(ready))
  banner.querySelector('progress').value = ready
}

/** Takes the texts and links of the pages from the current state of this HTML page; loaded images stay. */
async function fillIn() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!answer.ok) return location.reload()
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const section of fresh.querySelectorAll('section.page')) {
    const shown = document.getElementById(section.id)
    if (shown === null) continue
    for (const selector of ['.text', '.links']) {
      const [old, now] = [shown.querySelector(selector), section.querySelector(selector)]
      if (old && now) old.replaceWith(document.adoptNode(now))
    }
    // The note of a failed page.
    const note = section.querySelector(':scope > .note')
    if (note && !shown.querySelector(':scope > .note')) shown.querySelector('.sheet').after(document.adoptNode(note))
  }
}

/** Shows the progress and fills in finished pages. The banner stays at the end, so that nothing moves. */
function createProgress() {
  let { status } = data
  return async (now) => {
    if (now.status === 'failed') return location.reload()
    const isDone = now.pages_ready >= now.page_count && now.status === 'ready'
    // Screen readers announce the end, not every page.
    if (isDone) banner.setAttribute('role', 'status')
    showProgress(now.pages_ready)
    if (isDone || now.status !== status) await fillIn().catch(() => {})
    status = now.status
    if (isDone) banner.querySelector('.rest').remove()
    return isDone
  }
}

function follow() {
  const events = new EventSource(data.events)
  const progress = createProgress()
  events.addEventListener('progress', async (event) => {
    if (await progress(JSON.parse(event.data))) events.close()
  })
  events.addEventListener('error', () => {
    // Browsers reconnect after a broken connection, but not after a refused one.
    if (events.readyState === EventSource.CLOSED) void poll(progress)
  })
}

/** Polls the API where server-sent events do not arrive. */
async function poll(progress) {
  const now = await fetch(data.api)
    .then((answer) => (answer.ok ? answer.json() : undefined))
    .catch(() => undefined)
  const isDone = now !== undefined && (await progress(now))
  if (!isDone) setTimeout(() => void poll(progress), POLL_MS)
}

/** The reader retries failed images itself, and says why they failed. */
function isReaderRunning() {
  return document.documentElement.dataset.view !== undefined
}

/** Requests a failed image again. */
function retry(image) {
  const tries = Number(image.dataset.tries ?? 0) + 1
  if (tries > MAX_RETRIES) return
  image.dataset.tries = String(tries)
  setTimeout(() => {
    if (isReaderRunning()) return
    const source = image.parentElement.querySelector('source')
    source?.setAttribute('srcset', source.srcset)
    const { src } = image
    image.src = src
  }, RETRY_IMAGE_MS)
}

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLImageElement && !isReaderRunning()) retry(target)
  },
  true,
)
for (const image of document.images)
  if (image.complete && image.naturalWidth === 0 && image.currentSrc && !isReaderRunning()) retry(image)
if (banner) follow()
