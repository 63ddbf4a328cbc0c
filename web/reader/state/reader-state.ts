export type View = 'scroll' | 'single' | 'spread'
export type PanelName = 'contents' | 'thumbnails' | 'search'

/** Where somebody is in the document, and how they look at it. */
export type Reading = {
  page: number
  view: View
  /** 1 is the page as it fits. */
  zoom: number
  panel: PanelName | undefined
}

export type ReadingState = {
  readonly now: Reading
  /** Changes some of it and tells whoever follows. */
  set(change: Partial<Reading>): void
  follow(listener: (now: Reading, before: Reading) => void): void
}

export function createReadingState(first: Reading): ReadingState {
  let now = first
  const listeners: ((now: Reading, before: Reading) => void)[] = []
  return {
    get now() {
      return now
    },
    set(change) {
      const before = now
      now = { ...now, ...change }
      if (Object.keys(change).some((key) => now[key as keyof Reading] !== before[key as keyof Reading]))
        for (const listener of listeners) listener(now, before)
    },
    follow(listener) {
      listeners.push(listener)
    },
  }
}
