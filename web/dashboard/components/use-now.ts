import { useEffect, useState } from 'react'

/** The time, which moves on every so often while it is shown. */
export function useNow(everyMs = 15_000): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
