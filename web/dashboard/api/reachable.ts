import { useSyncExternalStore } from 'react'

let reachable = true
const listeners = new Set<() => void>()

/** Notes whether the last request was answered. */
export function setReachable(now: boolean): void {
  if (now === reachable) return
  reachable = now
  for (const listener of listeners) listener()
}

/** Whether the server answered the last request. */
export function useReachable(): boolean {
  return useSyncExternalStore(subscribe, () => reachable)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
