import { type RefObject, useEffect, useState } from 'react'

/** Class of an element that fills the window, where a browser has no full screen for elements, as on iPhones. */
const FILLS_WINDOW = 'fills-window'

/** Makes an element fill the screen, or the window. Escape ends both. */
export function useFullScreen(view: RefObject<HTMLElement | null>): { isFull: boolean; toggle(): void } {
  const [isFull, setFull] = useState(false)

  useEffect(() => {
    const changed = () => setFull(document.fullscreenElement !== null && document.fullscreenElement === view.current)
    document.addEventListener('fullscreenchange', changed)
    return () => document.removeEventListener('fullscreenchange', changed)
  }, [view])

  useEffect(() => {
    const element = view.current
    if (!isFull || document.fullscreenElement !== null || element === null) return
    element.classList.add(FILLS_WINDOW)
    const pressed = ({ key }: KeyboardEvent) => key === 'Escape' && setFull(false)
    document.addEventListener('keydown', pressed)
    return () => {
      element.classList.remove(FILLS_WINDOW)
      document.removeEventListener('keydown', pressed)
    }
  }, [isFull, view])

  return {
    isFull,
    toggle() {
      if (document.fullscreenElement !== null) void document.exitFullscreen()
      else if (isFull) setFull(false)
      else if (view.current?.requestFullscreen === undefined) setFull(true)
      else view.current.requestFullscreen().catch(() => setFull(true))
    },
  }
}
