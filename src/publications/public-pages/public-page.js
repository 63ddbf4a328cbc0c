// While pages are being prepared: follows how many are ready, fills in their text, and fetches images again that were
// not there in time. The page is complete without it.

const data = JSON.parse(document.getElementById('publication-data')?.textContent ?? '{}')
const banner = document.getElementById('progress')

/** A page that waits longer for its image than the server lets it gets another try after so long. */
const RETRY_IMAGE_MS = 3_000
const MAX_RETRIES = 20

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
    for (const part of ['.text', '.links', '.note']) {
      const [old, now] = [shown?.querySelector(part), section.querySelector(part)]
      if (old && now) old.replaceWith(document.adoptNode(now))
    }
  }
}

function follow() {
  const events = new EventSource(data.events)
  let status = data.status
  events.addEventListener('progress', async (event) => {
    const now = JSON.parse(event.data)
    showProgress(now.pages_ready)
    if (now.status === 'failed') return location.reload()
    const isDone = now.pages_ready >= now.page_count && now.status === 'ready'
    if (isDone) events.close()
    if (isDone || now.status !== status) await fillIn().catch(() => {})
    status = now.status
    if (isDone) banner.remove()
  })
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
