import { createContext, useContext } from 'react'

/** In a window of this width, the live map of an event and its replay fill it, and it does not scroll. */
export const WIDE_WINDOW = '(min-width: 62.0625em)'

/**
 * The place in the header for the heading of a page that fills the window; null until it is there, and undefined for
 * pages that have their heading above their content.
 */
export const HeaderPlace = createContext<HTMLElement | null | undefined>(undefined)

/** Returns the place in the header for the heading of the page. */
export function useHeaderPlace(): HTMLElement | null | undefined {
  return useContext(HeaderPlace)
}
