import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

/** Pause in typing after which the search starts. */
const SEARCH_DELAY_MS = 300

/**
 * Holds the text of a search field. The search starts once typing pauses, and the text follows changes of the search.
 */
export function useSearchText(search: string | undefined, onSearch: (search: string | undefined) => void) {
  const [text, setText] = useState(search ?? '')
  const started = useRef(search)
  const start = useDebouncedCallback((typed: string) => {
    started.current = typed.trim() === '' ? undefined : typed
    onSearch(started.current)
  }, SEARCH_DELAY_MS)
  useEffect(() => {
    if (search === started.current) return
    started.current = search
    setText(search ?? '')
  }, [search])
  return {
    text,
    change(typed: string): void {
      setText(typed)
      start(typed)
    },
  }
}
