import { element } from './elements.ts'

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
  const toast = element('div', { class: 'toast' }, element('span', {}, text), button)
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
