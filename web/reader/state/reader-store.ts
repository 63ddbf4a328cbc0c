export type View = 'scroll' | 'single' | 'spread'
export type PanelName = 'contents' | 'thumbnails' | 'search'

/** The current page of a reader, and how it is shown. */
export type ReaderState = {
  page: number
  view: View
  /** True if the text of pages is shown instead of their images. */
  isText: boolean
  /** 1 fits the page, and is the usual size of text. */
  zoom: number
  panel: PanelName | undefined
}

export type ReaderStore = {
  readonly current: ReaderState
  /** Changes part of the state and notifies the listeners. */
  set(change: Partial<ReaderState>): void
  subscribe(listener: (now: ReaderState, before: ReaderState) => void): void
}

export function createReaderStore(initial: ReaderState): ReaderStore {
  let current = initial
  const listeners: ((now: ReaderState, before: ReaderState) => void)[] = []
  return {
    get current() {
      return current
    },
    set(change) {
      const before = current
      current = { ...current, ...change }
      if (Object.keys(change).some((key) => current[key as keyof ReaderState] !== before[key as keyof ReaderState]))
        for (const listener of listeners) listener(current, before)
    },
    subscribe(listener) {
      listeners.push(listener)
    },
  }
}
