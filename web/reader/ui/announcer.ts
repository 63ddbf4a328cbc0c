import { element } from './elements.ts'

export type Announcer = (text: string) => void

/** Announces changes to screen readers; a repeated text is announced again. */
export function createAnnouncer(): Announcer {
  const region = element('div', { class: 'reader-announcer', role: 'status', 'aria-live': 'polite' })
  document.body.append(region)
  let timer: ReturnType<typeof setTimeout> | undefined
  return (text) => {
    clearTimeout(timer)
    region.textContent = ''
    // Screen readers announce changes to an existing element; the delay merges several in a row into one.
    timer = setTimeout(() => {
      region.textContent = text
    }, 120)
  }
}
