// While pages are being prepared: follows how many are ready, fills in their text, and fetches images again that were
// not there in time. The page is complete without it.

const data = JSON.parse(document.getElementById('publication-data')?.textContent ?? '{}')
const banner = document.getElementById('progress')

/** A page that waits longer for its image than the server lets it gets another try after so long. */
const RETRY_IMAGE_MS = 3_000
const MAX_RETRIES = 20
/** As often as a page without scripts asks. */
const ASK_MS = 5_000

function showProgress(ready) {
  const count = banner.querySelector('.count')
  const text = ready < 2 ? banner.dataset.one : banner.dataset.many
  count.textContent = text.replace(/\d+/, String(ready))
  banner.querySelector('progress').value = ready
}

/** Takes the texts and links of the pages from the page as it is now; images that are there stay. */
async function fillIn() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!answer.ok) return location.reload()
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const section of fresh.querySelectorAll('section.page')) {
    const shown = document.getElementById(section.id)
    if (shown === null) continue
    for (const part of ['.text', '.links']) {
      const [old, now] = [shown.querySelector(part), section.querySelector(part)]
      if (old && now) old.replaceWith(document.adoptNode(now))
    }
    // What is wrong with a page that failed.
    const note = section.querySelector(':scope > .note')
    if (note && !shown.querySelector(':scope > .note')) shown.querySelector('.sheet').after(document.adoptNode(note))
  }
}

/** Says how far it is, and takes what has come. The banner stays when all is there, so that nothing moves. */
function createProgress() {
  let { status } = data
  return async (now) => {
    if (now.status === 'failed') return location.reload()
    const isDone = now.pages_ready >= now.page_count && now.status === 'ready'
    // Said aloud once, and not with every page.
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
    // A broken connection is made again by the browser; one that was refused is not.
    if (events.readyState === EventSource.CLOSED) void ask(progress)
  })
}

/** Asks now and then, where nobody tells. */
async function ask(progress) {
  const now = await fetch(data.api)
    .then((answer) => (answer.ok ? answer.json() : undefined))
    .catch(() => undefined)
  const isDone = now !== undefined && (await progress(now))
  if (!isDone) setTimeout(() => void ask(progress), ASK_MS)
}

/** Asks again for an image that failed. */
function retry(image) {
  const tries = Number(image.dataset.tries ?? 0) + 1
  if (tries > MAX_RETRIES) return
  image.dataset.tries = String(tries)
  setTimeout(() => {
    const source = image.parentElement.querySelector('source')
    source?.setAttribute('srcset', source.srcset)
    const { src } = image
    image.src = src
  }, RETRY_IMAGE_MS)
}

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLImageElement) retry(target)
  },
  true,
)
for (const image of document.images) if (image.complete && image.naturalWidth === 0 && image.currentSrc) retry(image)
if (banner) follow()
