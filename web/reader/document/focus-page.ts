/** Moves the focus to a page without scrolling, so that keys and screen readers go on from there. */
export function focusPage(section: HTMLElement): void {
  section.tabIndex = -1
  section.focus({ preventScroll: true })
}
