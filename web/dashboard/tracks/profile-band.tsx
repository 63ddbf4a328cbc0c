import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type BandLook, bandOptions } from './band-options.ts'
import type { IndexRange } from './index-range.ts'

type ProfileBandProps = BandLook & {
  /** Position of each point on the horizontal axis. */
  x: readonly number[]
  values: readonly (number | null)[]
  label: string
  cursor: number | undefined
  highlight: IndexRange | undefined
  onCursor(index: number | undefined): void
  onPick(index: number): void
}

/** One value along a track as a chart. The page also gives its values as text. */
export function ProfileBand({ x, values, label, cursor, highlight, onCursor, onPick, ...look }: ProfileBandProps) {
  const { colours, format, marks, range, heightPx, hasAxis, along, ticks, tickLabel, line, area } = look
  const { ref: measured, width } = useElementSize()
  const container = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(measured, container)
  const plot = useRef<uPlot>(undefined)
  const current = useRef({ onCursor, onPick, highlight })
  current.current = { onCursor, onPick, highlight }
  const isMade = width > 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new width is set below, without a full redraw
  useEffect(() => {
    if (!isMade) return
    const options = bandOptions(look, width, () => current.current.highlight)
    options.hooks = {
      ...options.hooks,
      setCursor: [({ cursor: { idx } }) => current.current.onCursor(idx ?? undefined)],
    }
    const made = new uPlot(options, [x as number[], values as (number | null)[]], container.current!)
    const pick = () => {
      if (made.cursor.idx != null) current.current.onPick(made.cursor.idx)
    }
    made.over.addEventListener('click', pick)
    plot.current = made
    return () => {
      plot.current = undefined
      made.destroy()
    }
  }, [x, values, colours, format, marks, range, hasAxis, along, ticks, tickLabel, line, area, isMade])

  useEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height: heightPx })
  }, [width, heightPx])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart reads the highlight when it is drawn
  useEffect(() => {
    plot.current?.redraw(false, false)
  }, [highlight])

  useEffect(() => {
    const chart = plot.current
    if (chart === undefined || (chart.cursor.idx ?? undefined) === cursor) return
    const left = cursor === undefined ? -10 : chart.valToPos(chart.data[0][cursor], 'x')
    chart.setCursor({ left, top: cursor === undefined ? -10 : 1 }, false)
  }, [cursor])

  return <div ref={ref} role="img" aria-label={label} style={{ height: heightPx }} />
}
