/** Distance a page slides when it is turned. */
const SLIDE_PX = 28

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')

/** Scrolls to the start of a page, smoothly if it is the next or the previous one. */
export function scrollToPage(section: HTMLElement | undefined, by: number): void {
  const isStep = Math.abs(by) === 1 && !reducedMotion.matches
  section?.scrollIntoView({ behavior: isStep ? 'smooth' : 'instant', block: 'start' })
}

/** Slides in pages that have just been turned to, unless the reader prefers less motion. */
export function slideIn(sections: Iterable<HTMLElement>, side: 'left' | 'right'): void {
  if (reducedMotion.matches) return
  const from = side === 'right' ? SLIDE_PX : -SLIDE_PX
  const keyframes = [
    { opacity: 0.3, transform: `translateX(${from}px)` },
    { opacity: 1, transform: 'none' },
  ]
  for (const section of sections) section.animate(keyframes, { duration: 160, easing: 'ease-out' })
}
