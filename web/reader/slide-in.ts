const DISTANCE_PX = 28

/** Lets pages come in from the side that they are turned from. */
export function slideIn(sections: Iterable<HTMLElement>, side: 'left' | 'right'): void {
  const from = side === 'right' ? DISTANCE_PX : -DISTANCE_PX
  const keyframes = [
    { opacity: 0.3, transform: `translateX(${from}px)` },
    { opacity: 1, transform: 'none' },
  ]
  for (const section of sections) section.animate(keyframes, { duration: 160, easing: 'ease-out' })
}
