import { element } from './elements.ts'

/** Long enough to be read and reached. */
const SHOWN_MS = 8_000

/** Says something with one thing to do about it, and goes away by itself, unless somebody is there. */
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
