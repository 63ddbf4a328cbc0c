import { element } from './elements.ts'

/** @param isAddition true if the text does not replace one that is about to be announced */
export type Announcer = (text: string, isAddition?: boolean) => void

/** Announces changes to screen readers; a repeated text is announced again. */
export function createAnnouncer(): Announcer {
  const region = element('div', { class: 'reader-announcer', role: 'status', 'aria-live': 'polite' })
  document.body.append(region)
  let timer: ReturnType<typeof setTimeout> | undefined
  let pending: string | undefined
  return (text, isAddition = false) => {
    pending = isAddition && pending !== undefined && pending !== text ? `${pending}. ${text}` : text
    clearTimeout(timer)
    region.textContent = ''
    // Screen readers announce changes to an existing element; the delay merges several in a row into one.
    timer = setTimeout(() => {
      region.textContent = pending ?? ''
      pending = undefined
    }, 120)
  }
}
