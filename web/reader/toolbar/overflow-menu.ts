import { element, iconButton } from '../ui/elements.ts'
import { icons } from '../ui/icons.ts'
import type { ReaderTexts } from '../ui/texts.ts'

/** Puts tools into a menu with its own button on narrow screens, and into the toolbar on wide ones. */
export function createOverflowMenu(
  bar: HTMLElement,
  texts: ReaderTexts,
  ...tools: HTMLElement[]
): { menu: HTMLElement; button: HTMLElement } {
  const menu = element('div', { class: 'more', id: 'reader-more' }, ...tools)
  const button = iconButton(texts.more, icons.more, () => toggle(), {
    class: 'tool more-button',
    'aria-expanded': 'false',
    'aria-controls': 'reader-more',
  })

  function toggle(isOpen = !menu.classList.contains('open')): void {
    menu.classList.toggle('open', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
  }

  document.addEventListener('click', ({ target }) => {
    if (!menu.contains(target as Node) && !button.contains(target as Node)) toggle(false)
  })
  menu.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('[data-view-button], [data-text-button], a')) toggle(false)
  })
  bar.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.classList.contains('open')) return
    event.stopPropagation()
    toggle(false)
    button.focus()
  })
  return { menu, button }
}
