import { element } from './elements.ts'

export type Announcer = (text: string) => void

/** Says what changes to who does not see it. What is said twice is said again. */
export function createAnnouncer(): Announcer {
  const region = element('div', { class: 'reader-said', role: 'status', 'aria-live': 'polite' })
  document.body.append(region)
  let timer: ReturnType<typeof setTimeout> | undefined
  return (text) => {
    clearTimeout(timer)
    region.textContent = ''
    // Screen readers hear changes of what is there already; several in a row are one.
    timer = setTimeout(() => {
      region.textContent = text
    }, 120)
  }
}
