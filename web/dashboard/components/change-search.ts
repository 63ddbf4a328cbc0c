import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'

/**
 * Returns a function that changes a part of the search in the address of a page, which holds filters and choices. It
 * adds nothing to the history, and leaves the page where it is scrolled to.
 * @param from the page, whose search has the given type
 */
export function useChangeSearch<Search extends object>(from: string): (part: Partial<Search>) => void {
  const navigate = useNavigate()
  return useCallback(
    (part) => {
      const search = (before: Search) => ({ ...before, ...part })
      // The router knows the searches of single pages, and not of any.
      void navigate({ from, to: '.', search, replace: true, resetScroll: false } as never)
    },
    [navigate, from],
  )
}
