/** Time from one state to the next. The server keeps a list of runners for as long. */
const NEXT_MS = 3000
/** Time until the first one: the page itself is some seconds old by then. */
const FIRST_MS = 2000
/** From this round on, something keeps the live view from coming, and the page goes on more quietly. */
const QUIET_ROUND = 20
const QUIET_MS = 15_000

/** The picture of the course in the place of the map, once the list is live. */
const PICTURE = '.live-view > .picture'

/**
 * Keeps the server's view up to date on a slow line, until the live one is there: first the list with the picture of
 * the course, and once the list is live, the picture alone, which stands where the map will be until that is drawn.
 */
export function refreshFirstView(): void {
  let round = 0
  const goOn = () => {
    setTimeout(async () => {
      if (!isShown()) return
      if (!document.hidden) await refresh().catch(() => {})
      goOn()
    }, pauseBefore(round++))
  }
  goOn()
}

function pauseBefore(round: number): number {
  if (round === 0) return FIRST_MS
  return round < QUIET_ROUND ? NEXT_MS : QUIET_MS
}

function isShown(): boolean {
  if (document.querySelector('[data-drawn]') !== null) document.querySelector(PICTURE)?.remove()
  return document.querySelector(`#first, ${PICTURE}`) !== null
}

async function refresh(): Promise<void> {
  const { origin, pathname, search } = location
  const answer = await fetch(origin + pathname + search, { cache: 'no-store' })
  if (!answer.ok) return
  const text = await answer.text()
  // Not its head, whose style the browser would refuse, and say so.
  const next = new DOMParser().parseFromString(text.slice(text.indexOf('<main')), 'text/html')
  const first = document.getElementById('first')
  if (first === null) replacePicture(next)
  else if (getSelection()?.isCollapsed !== false) replaceAll(first, next)
}

function replacePicture(next: Document): void {
  const picture = next.querySelector('.picture')
  if (picture !== null) document.querySelector(PICTURE)?.replaceWith(picture)
}

/** Takes over a newer state. The link that loads the page again keeps the focus if it has it. */
function replaceAll(first: HTMLElement, next: Document): void {
  const newer = next.getElementById('first')
  if (newer === null) return
  const hadFocus = first.contains(document.activeElement)
  first.replaceChildren(...newer.childNodes)
  if (hadFocus) first.querySelector('a')?.focus()
}
