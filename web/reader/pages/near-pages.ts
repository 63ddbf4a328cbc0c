import type { LoadedPages } from './loaded-pages.ts'

/** What is done with a page that comes near to what is seen, and when it is left behind. */
export type NearPages = {
  /** Sections that are on the screen, or about to be. */
  near(): HTMLElement[]
  follow(onNear: (section: HTMLElement) => void, onFar: (section: HTMLElement) => void): void
}

/** Half a screen before and behind: a page is prepared before it is seen. */
const MARGIN = '50% 25%'

export function watchNearPages(pages: LoadedPages): NearPages {
  const near = new Set<HTMLElement>()
  const followers: { onNear(section: HTMLElement): void; onFar(section: HTMLElement): void }[] = []
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
    for (const { onNear, onFar } of followers) (isNear ? onNear : onFar)(section)
  }

  pages.follow((sections) => {
    observer.disconnect()
    for (const section of [...near]) change(section, false)
    for (const section of sections) observer.observe(section)
  })

  return {
    near: () => [...near],
    follow(onNear, onFar) {
      followers.push({ onNear, onFar })
      for (const section of near) onNear(section)
    },
  }
}
