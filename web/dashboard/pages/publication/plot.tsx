import { Text } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

type PlotProps = {
  label: string
  data: uPlot.AlignedData
  options: Omit<uPlot.Options, 'width' | 'height'>
  /** Describes the values at an index; shown below while the pointer is there. */
  wordsAt(index: number): string
  hint: string
}

const HEIGHT_PX = 240

/** A chart as wide as its container. The page also gives its values as text. */
export function Plot({ label, data, options, wordsAt, hint }: PlotProps) {
  const { ref: measured, width } = useElementSize()
  const container = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(measured, container)
  const plot = useRef<uPlot>(undefined)
  const [index, setIndex] = useState<number>()
  const isMade = width > 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new width is set below, without a full redraw
  useEffect(() => {
    if (!isMade) return
    const hooks = { setCursor: [({ cursor: { idx } }: uPlot) => setIndex(idx ?? undefined)] }
    const made = new uPlot({ ...options, hooks, width, height: HEIGHT_PX }, data, container.current!)
    plot.current = made
    return () => {
      plot.current = undefined
      made.destroy()
    }
  }, [data, options, isMade])

  useEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height: HEIGHT_PX })
  }, [width])

  return (
    <>
      <div ref={ref} role="img" aria-label={label} style={{ height: HEIGHT_PX }} />
      <Text size="sm" mt="xs" mih="1.5em" className="figures" c={index === undefined ? 'dimmed' : undefined}>
        {index === undefined ? hint : wordsAt(index)}
      </Text>
    </>
  )
}
