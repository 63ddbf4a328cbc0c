import type { RequestFailure } from './document/request-failure.ts'
import { element } from './elements.ts'
import type { ReaderTranslate } from './texts.ts'

/** @param isAddition true if the text goes with the one before, and false if it replaces it */
export type Announcer = (text: string, isAddition?: boolean) => void

/** Announces changes to screen readers; a repeated text is announced again. */
export function createAnnouncer(): Announcer {
  // An addition must neither cut off the text before nor repeat it.
  const region = element('div', {
    class: 'reader-announcer',
    role: 'status',
    'aria-live': 'polite',
    'aria-atomic': 'false',
  })
  document.body.append(region)
  let timer: ReturnType<typeof setTimeout> | undefined
  let pending: string[] = []
  return (text, isAddition = false) => {
    if (!isAddition) {
      pending = [text]
      region.replaceChildren()
    } else if (!pending.includes(text)) pending.push(text)
    clearTimeout(timer)
    // Screen readers announce changes to an existing element; the delay merges several in a row into one.
    timer = setTimeout(() => {
      region.append(...pending.map((each) => element('p', {}, each)))
      pending = []
    }, 120)
  }
}

/** Long enough to read the message and reach its button. */
const SHOWN_MS = 8_000
/** A pointer or focus on the message keeps it, but a touchscreen leaves both wherever the last tap was. */
const MAX_SHOWN_MS = 30_000

/**
 * Shows a message with one action, in place of the message before. It disappears after a while,
 * with Escape, and once the action is chosen.
 * @returns a function that removes it earlier, because it no longer matters
 */
export function showToast(text: string, action: string, onAction: () => void): () => void {
  const button = element('button', { type: 'button' }, action)
  const toast = element(
    'section',
    { class: 'toast', 'aria-labelledby': 'reader-toast' },
    element('span', { id: 'reader-toast' }, text),
    button,
  )
  const shownMs = performance.now()
  let timer: ReturnType<typeof setTimeout>

  function end(): void {
    clearTimeout(timer)
    document.removeEventListener('keydown', handleKey)
    toast.remove()
  }
  function handleKey({ key }: KeyboardEvent): void {
    if (key === 'Escape') end()
  }
  function endUnlessUsed(): void {
    const isUsed = toast.matches(':hover, :focus-within') && performance.now() - shownMs < MAX_SHOWN_MS
    if (isUsed) timer = setTimeout(endUnlessUsed, 1_000)
    else end()
  }

  button.addEventListener('click', () => {
    end()
    onAction()
  })
  document.addEventListener('keydown', handleKey)
  document.querySelector('.toast')?.remove()
  document.body.append(toast)
  timer = setTimeout(endUnlessUsed, SHOWN_MS)
  return end
}

/** Says in a sentence why a request failed. */
export function failureText({ reason, retryAfterSec }: RequestFailure, t: ReaderTranslate): string {
  const waits = reason === 'busy' || reason === 'limited' ? retryAfterSec : undefined
  const sentence = t(`failures.${reason}`)
  return waits === undefined ? sentence : `${sentence} ${t('tryAgainIn', { seconds: waits })}`
}

/**
 * Puts a message in the place of the document, of which nothing stays on the screen and nothing is requested any more,
 * because the server refuses it to this reader.
 */
export function showEndOfReading(t: ReaderTranslate): void {
  window.stop()
  speechSynthesis?.cancel()
  if (document.fullscreenElement !== null) void document.exitFullscreen()
  const button = element('button', { type: 'button', class: 'button' }, t('reload'))
  button.addEventListener('click', () => location.reload())
  const message = element('div', { role: 'alert' }, element('h1', {}, t('ended')), element('p', {}, t('endedDetail')))
  document.adoptedStyleSheets = []
  document.title = t('ended')
  // Descriptions for search engines and link previews, and addresses of images.
  for (const told of document.head.querySelectorAll(
    'meta[name="description"], meta[property], link[rel="preload"], script',
  ))
    told.remove()
  document.body.className = 'message'
  document.body.replaceChildren(element('main', {}, message, element('p', {}, button)))
  // Keys turned the pages that are gone.
  addEventListener('keydown', (event) => event.stopImmediatePropagation(), true)
}
