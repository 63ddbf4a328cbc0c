import { Group, Paper, SegmentedControl, Text, Title, useComputedColorScheme } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Format } from '../i18n/format.ts'

type FigurePanelProps = { title: string; legend?: ReactNode; plot: ReactNode; table: ReactNode }

/** Figures as a chart, and as a table for reading and for screen readers. */
export function FigurePanel({ title, legend, plot, table }: FigurePanelProps) {
  const { t } = useTranslation()
  const [view, setView] = useState('plot')
  return (
    <Paper withBorder p="md" bg="var(--panel-background)" component="section" aria-label={title}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        <Group>
          {view === 'plot' && legend}
          <SegmentedControl
            size="xs"
            aria-label={t('figures.shownAs', { title })}
            value={view}
            onChange={setView}
            data={[
              { value: 'plot', label: t('figures.asPlot') },
              { value: 'table', label: t('figures.asTable') },
            ]}
          />
        </Group>
      </Group>
      {view === 'plot' ? plot : table}
    </Paper>
  )
}

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

/** The colours of a chart, which style sheets do not reach. */
export type PlotColours = { text: string; grid: string; first: string; second: string }

const LIGHT: PlotColours = { text: '#495057', grid: '#e9ecef', first: '#0b7285', second: '#c2255c' }
const DARK: PlotColours = { text: '#c1c2c5', grid: '#373a40', first: '#3bc9db', second: '#f783ac' }

/** Returns the colours of the current colour scheme. */
export function usePlotColours(): PlotColours {
  return useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark' ? DARK : LIGHT
}

/** Steps between ticks, whole numbers only, so that every height has several: 1, 2, 5, 10, 20 … 500 million. */
export const COUNT_STEPS = Array.from({ length: 27 }, (_, at) => [1, 2, 5][at % 3] * 10 ** Math.floor(at / 3))

/** Returns the options of an axis of counts. */
export function countAxis(format: Format): uPlot.Axis {
  return { incrs: COUNT_STEPS, values: (_plot, ticks) => ticks.map((count) => format.countShort(count)), size: 56 }
}
