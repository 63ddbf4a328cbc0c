import type { LoadedPages } from './loaded-pages.ts'

/** The pages on the screen or about to be. */
export type NearPages = {
  near(): HTMLElement[]
  /** Calls `onNear` for each page that comes near, including those that are, and `onFar` when it is left behind. */
  subscribe(onNear: (section: HTMLElement) => void, onFar: (section: HTMLElement) => void): void
}

/** Half a screen above and below, so that a page is prepared before it is seen. */
const MARGIN = '50% 25%'

export function watchNearPages(pages: LoadedPages): NearPages {
  const near = new Set<HTMLElement>()
  const listeners: { onNear(section: HTMLElement): void; onFar(section: HTMLElement): void }[] = []
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) change(target as HTMLElement, isIntersecting)
    },
    { rootMargin: MARGIN },
  )

  function change(section: HTMLElement, isNear: boolean): void {
    if (near.has(section) === isNear) return
    if (isNear) near.add(section)
    else near.delete(section)
    for (const { onNear, onFar } of listeners) (isNear ? onNear : onFar)(section)
  }

  pages.subscribe((sections) => {
    observer.disconnect()
    for (const section of [...near]) change(section, false)
    for (const section of sections) observer.observe(section)
  })

  return {
    near: () => [...near],
    /** Calls `onNear` for each page that comes near, including those that are, and `onFar` when it is left behind. */
    subscribe(onNear, onFar) {
      listeners.push({ onNear, onFar })
      for (const section of near) onNear(section)
    },
  }
}
