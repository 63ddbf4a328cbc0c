import { Tooltip } from '@mantine/core'
import { useFormat } from '../i18n/format.ts'
import { useNow } from './use-now.ts'

/** The age of something, with the exact time in a tooltip. */
export function Ago({ time }: { time: string }) {
  const format = useFormat()
  const nowMs = useNow()
  return (
    <Tooltip label={format.dateTime(time)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={time}>{format.ago(time, nowMs)}</time>
    </Tooltip>
  )
}
