import { element } from './elements.ts'

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
