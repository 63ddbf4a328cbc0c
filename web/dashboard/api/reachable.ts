import { useSyncExternalStore } from 'react'

let reachable = true
const listeners = new Set<() => void>()

/** Records whether the server responded to the last request. */
export function setReachable(now: boolean): void {
  if (now === reachable) return
  reachable = now
  for (const listener of listeners) listener()
}

/** Returns whether the server responded to the last request. */
export function useReachable(): boolean {
  return useSyncExternalStore(subscribe, () => reachable)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
