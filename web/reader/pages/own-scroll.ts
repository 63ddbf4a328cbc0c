/**
 * Scrolling by the program has ended if nothing has moved for this long. Browsers that send `scrollend` say it earlier.
 */
const OWN_SCROLL_MS = 1_000
/** Input with which a visitor takes over from scrolling by the program. */
const INPUT = ['wheel', 'touchmove', 'keydown', 'pointerdown']
/** Keys with which a browser scrolls. All others leave a scroll of the program as it is. */
const SCROLLING_KEYS = [
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  ' ',
  'Tab',
]

type Listeners = {
  /** Called once a frame while anything scrolls. @param isByVisitor true if the visitor caused any of it */
  onScroll(isByVisitor: boolean): void
  /** Called when scrolling by the program has ended. */
  onEnd(): void
}

/** Tells scrolling by the visitor from scrolling by the program, which calls the returned function beforehand. */
export function watchScrolling(main: HTMLElement, { onScroll, onEnd }: Listeners): () => void {
  let ownScrollUntil = 0
  let ending: ReturnType<typeof setTimeout> | undefined
  let isScheduled = false
  let isByVisitor = false

  function update(): void {
    const byVisitor = isByVisitor
    isScheduled = isByVisitor = false
    onScroll(byVisitor)
  }

  function handleScroll(): void {
    if (performance.now() < ownScrollUntil) ignoreOwnScroll()
    else isByVisitor = true
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(update)
  }

  // A smooth scroll takes as long as the browser likes, and starts late on a busy machine.
  function ignoreOwnScroll(): void {
    ownScrollUntil = performance.now() + OWN_SCROLL_MS
    clearTimeout(ending)
    ending = setTimeout(endOwnScroll, OWN_SCROLL_MS)
  }

  function endOwnScroll(): void {
    clearTimeout(ending)
    ownScrollUntil = 0
    onEnd()
  }

  function handleInput(event: Event): void {
    if (!(event instanceof KeyboardEvent) || SCROLLING_KEYS.includes(event.key)) ownScrollUntil = 0
  }

  for (const scroller of [window, main]) scroller.addEventListener('scroll', handleScroll, { passive: true })
  addEventListener('scrollend', endOwnScroll)
  for (const type of INPUT) addEventListener(type, handleInput, { passive: true, capture: true })
  return ignoreOwnScroll
}
