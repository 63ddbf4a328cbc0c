import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useFormat } from '../i18n/format.ts'

/**
 * A time may be this far ahead of the browser's clock. One that is later is no age, as where the clock of a phone is
 * wrong.
 */
const MAX_AHEAD_MS = 5 * 60_000

/** The age of something, with the exact time in a tooltip. */
export function Ago({ time }: { time: string }) {
  const format = useFormat()
  const nowMs = useNow()
  return (
    <Tooltip label={format.dateTime(time)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={time}>
        {Date.parse(time) > nowMs + MAX_AHEAD_MS
          ? format.dateTime(time)
          : format.ago(Math.min(Date.parse(time), nowMs), nowMs)}
      </time>
    </Tooltip>
  )
}

/** Returns the current time, and renders again at an interval. */
export function useNow(everyMs = 15_000): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
