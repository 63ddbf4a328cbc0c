import { useCallback, useEffect, useState } from 'react'

/** Fragment that leads to one runner, by the id of the track. */
const FRAGMENT = /^#runner-([\w-]{1,64})$/

/**
 * Returns the track that is selected, and what selects another one. The fragment of the page's address keeps it, so
 * that a reload and a copied link show the same runner. Browsers do not send fragments to servers.
 */
export function useSelectedRunner(): [string | undefined, (trackId: string | undefined) => void] {
  const [selectedId, setSelectedId] = useState(linkedRunner)
  useEffect(() => {
    const follow = () => setSelectedId(linkedRunner())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const select = useCallback((trackId: string | undefined) => {
    const { pathname, search } = location
    // In place of the address, so that going back leaves the page instead of walking through the runners.
    history.replaceState(history.state, '', pathname + search + (trackId === undefined ? '' : fragmentOf(trackId)))
    setSelectedId(trackId)
  }, [])
  return [selectedId, select]
}

/** Returns the track that the page's address leads to. */
export function linkedRunner(): string | undefined {
  return FRAGMENT.exec(location.hash)?.[1]
}

/** Returns the address of this page that leads to a runner, for other people. */
export function runnerAddress(trackId: string): string {
  return location.origin + location.pathname + fragmentOf(trackId)
}

function fragmentOf(trackId: string): string {
  return `#runner-${trackId}`
}
