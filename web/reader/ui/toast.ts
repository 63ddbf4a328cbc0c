import { element } from './elements.ts'

/** Long enough to read the message and reach its button. */
const SHOWN_MS = 8_000

/** Shows a message with one action. It disappears after a while, unless the pointer or the focus is on it. */
export function showToast(text: string, action: string, onAction: () => void): void {
  const button = element('button', { type: 'button' }, action)
  const toast = element('div', { class: 'toast' }, element('span', {}, text), button)
  const end = () => toast.remove()
  button.addEventListener('click', () => {
    end()
    onAction()
  })
  document.body.append(toast)
  const endUnlessUsed = () => (toast.matches(':hover, :focus-within') ? setTimeout(endUnlessUsed, 1_000) : end())
  setTimeout(endUnlessUsed, SHOWN_MS)
}
