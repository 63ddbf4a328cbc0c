import { useEffect, useState } from 'react'

/** Returns the current time, and renders again at an interval. */
export function useNow(everyMs = 15_000): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
