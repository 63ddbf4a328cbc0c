import { askEarly, askFramesEarly } from '../api/early-answers.ts'
import { firstLanguage, loadFurtherTexts, loadTexts } from '../i18n/language.ts'

// Runs while the libraries are still on the way. What the page needs next is requested beside them, in place of after
// them: on a slow line, texts, code and data after each other would take seconds more.

/** Resolves when the style sheets are there. The page has them as preloads, so that its words come first. */
export const styled = Promise.all(Array.from(document.querySelectorAll('link[rel=preload][as=style]'), addStyles))

const LIVE_MAP = /^\/dashboard\/events\/([\da-f-]{36})\/?$/

const language = firstLanguage()
const eventId = eventOnMap(location.pathname)
if (eventId === undefined) void loadFurtherTexts(language).catch(() => {})
else {
  askForEvent(`/operator/events/${eventId}`)
  void import('../live/live-map-page.tsx').catch(() => {})
}
void loadTexts(language).catch(() => {})

function addStyles(preload: Element): Promise<void> {
  const link = preload.cloneNode() as HTMLLinkElement
  link.rel = 'stylesheet'
  return new Promise((resolve) => {
    link.onload = () => resolve()
    link.onerror = () => resolve()
    document.head.append(link)
  })
}

/** Asks for the first data of the live map, and of the frame around it. */
function askForEvent(event: string): void {
  askEarly('/operator/session')
  askEarly('/operator/settings')
  void askEarly(event)
    .then(showName)
    .catch(() => {})
  askFramesEarly(`${event}/frames`)
  askEarly(`${event}/tracks?limit=500`)
  askEarly(`${event}/course`)
}

/** Shows the name of the event in place of the program's, while the page is on its way. */
async function showName(answer: Response): Promise<void> {
  if (!answer.ok) return
  const { name } = (await answer.clone().json()) as { name: string }
  const place = document.querySelector('.starting > :first-child')
  if (place !== null) place.textContent = name
}

/** Returns the id of the event whose live map is at an address; undefined for every other page. */
export function eventOnMap(pathname: string): string | undefined {
  return LIVE_MAP.exec(pathname)?.[1]
}
