import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

const SEARCH_DELAY_MS = 300

/** The text of a search field: sought once typing rests, and following what is sought when that changes elsewhere. */
export function useSearchText(sought: string | undefined, onSearch: (q: string | undefined) => void) {
  const [text, setText] = useState(sought ?? '')
  const asked = useRef(sought)
  const ask = useDebouncedCallback((typed: string) => {
    asked.current = typed.trim() === '' ? undefined : typed
    onSearch(asked.current)
  }, SEARCH_DELAY_MS)
  useEffect(() => {
    if (sought === asked.current) return
    asked.current = sought
    setText(sought ?? '')
  }, [sought])
  return {
    text,
    change(typed: string): void {
      setText(typed)
      ask(typed)
    },
  }
}
