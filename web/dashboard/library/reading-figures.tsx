import { Group, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import uPlot from 'uplot'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import type { FigureDay } from '../generated/types.gen.ts'
import { type Format, useFormat } from '../i18n/format.ts'
import { COUNT_STEPS, countAxis, FigurePanel, Plot, type PlotColours, usePlotColours } from './plot.tsx'

/** A chart of fewer days would say little. */
const MIN_DAYS = 7

type DayFiguresProps = {
  days: FigureDay[]
  /** The day on which the publication was created: none before it is shown. */
  since: string
}

/** Views and readers of each day. */
export function DayFigures({ days: all, since }: DayFiguresProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const colours = usePlotColours()
  const title = t('figures.perDay')
  const days = useMemo(() => all.filter(({ day }, at) => day >= since || at >= all.length - MIN_DAYS), [all, since])
  const data = useMemo<uPlot.AlignedData>(
    () => [days.map((_, at) => at), days.map(({ views }) => views), days.map(({ readers }) => readers)],
    [days],
  )
  const options = useMemo(() => optionsOf(days, colours, format), [days, colours, format])
  const wordsAt = (index: number) => {
    const day = days[index]
    return day === undefined
      ? ''
      : [
          dayWords(day.day, format),
          t('publication.views', { count: day.views, figure: format.count(day.views) }),
          t('figures.readersCount', { count: day.readers, figure: format.count(day.readers) }),
        ].join(' · ')
  }
  return (
    <FigurePanel
      title={title}
      legend={
        <Group gap="md">
          <Legend colour={colours.first} words={t('figures.views')} />
          <Legend colour={colours.second} words={t('figures.readers')} />
        </Group>
      }
      plot={<Plot label={title} data={data} options={options} wordsAt={wordsAt} hint={t('figures.hint')} />}
      table={<DayTable days={days} title={title} />}
    />
  )
}

function DayTable({ days, title }: { days: FigureDay[]; title: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const rows = useMemo(() => days.toReversed(), [days])
  return (
    <VirtualTable
      label={title}
      columns={[
        { id: 'day', head: t('figures.day'), cell: ({ day }) => dayWords(day, format) },
        ...(['views', 'readers', 'downloads'] as const).map((id) => ({
          id,
          head: t(`figures.${id}`),
          isNumeric: true,
          cell: (day: FigureDay) => format.count(day[id]),
        })),
        { id: 'seconds', head: t('figures.time'), isNumeric: true, cell: ({ seconds }) => format.span(seconds) },
      ]}
      rows={rows}
      rowId={({ day }) => day}
      heightPx={320}
    />
  )
}

function Legend({ colour, words }: { colour: string; words: string }) {
  return (
    <Group gap={6} wrap="nowrap">
      <span aria-hidden style={{ width: 14, height: 4, borderRadius: 2, background: colour }} />
      <Text size="sm">{words}</Text>
    </Group>
  )
}

function optionsOf(days: FigureDay[], colours: PlotColours, format: Format): Omit<uPlot.Options, 'width' | 'height'> {
  const base = { stroke: colours.text, grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid } }
  return {
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false } },
    scales: COUNT_SCALES,
    series: [
      {},
      { ...barsOf(colours.first), points: { show: false } },
      { stroke: colours.second, width: 1.5, points: { show: days.length <= 31 } },
    ],
    axes: [
      {
        ...base,
        space: 70,
        incrs: [1, 2, 7, 14, 28],
        values: (_plot, ticks) =>
          ticks.map((at) => (days[at] === undefined ? '' : format.dayOfYear(atNoon(days[at].day)))),
      },
      { ...base, ...countAxis(format) },
    ],
  }
}

/** Room for half a bar at both ends, and no fractions of a view. */
const COUNT_SCALES: uPlot.Scales = {
  x: { time: false, range: (_plot, min, max) => [min - 0.6, max + 0.6] },
  y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] },
}

function barsOf(colour: string): Omit<uPlot.Series, 'points'> {
  return { fill: colour, stroke: colour, paths: uPlot.paths.bars!({ size: [0.8, 60] }) }
}

function dayWords(day: string, format: Format): string {
  return format.date(atNoon(day))
}

/** At noon local time, because a calendar date has no time zone. */
function atNoon(day: string): string {
  return `${day}T12:00:00`
}

type PageRow = { page: number; read: number }
type PageFiguresProps = { read: number[]; pageCount: number }

/** The number of reads of each page. */
export function PageFigures({ read, pageCount }: PageFiguresProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const colours = usePlotColours()
  const title = t('figures.perPage')
  const rows = useMemo(() => rowsOf(read, pageCount), [read, pageCount])
  const step = pagesPerBar(rows.length)
  const bars = useMemo(() => joined(rows, step), [rows, step])
  const data = useMemo<uPlot.AlignedData>(() => [bars.map(({ page }) => page), bars.map((bar) => bar.read)], [bars])
  const options = useMemo(() => pageOptions(step, colours, format), [step, colours, format])
  const wordsAt = (index: number) => {
    const bar = bars[index]
    if (bar === undefined) return ''
    const last = Math.min(bar.page + step - 1, rows.length)
    const pages =
      step === 1
        ? t('pages.page', { page: bar.page })
        : t('figures.pageRange', { first: format.count(bar.page), last: format.count(last) })
    return `${pages} · ${t('figures.readTimes', { count: bar.read, figure: format.count(bar.read) })}`
  }
  return (
    <FigurePanel
      title={title}
      plot={<Plot label={title} data={data} options={options} wordsAt={wordsAt} hint={t('figures.hint')} />}
      table={
        <VirtualTable
          label={title}
          columns={[
            { id: 'page', head: t('figures.page'), cell: ({ page }) => format.count(page) },
            { id: 'read', head: t('figures.read'), isNumeric: true, cell: (row) => format.count(row.read) },
          ]}
          rows={rows}
          rowId={({ page }) => String(page)}
          heightPx={320}
        />
      }
    />
  )
}

/** Bars of a chart; more would be as thin as hairs. */
const MAX_BARS = 50

/** Returns how many pages a bar stands for: 1, 2, 5, 10, 20 … */
function pagesPerBar(pageCount: number): number {
  return COUNT_STEPS.find((step) => pageCount / step <= MAX_BARS) ?? pageCount
}

/** Returns the reads of every `step` pages together, each under its first page. */
function joined(rows: PageRow[], step: number): PageRow[] {
  return Array.from({ length: Math.ceil(rows.length / step) }, (_, at) => {
    const part = rows.slice(at * step, (at + 1) * step)
    return { page: at * step + 1, read: part.reduce((sum, { read }) => sum + read, 0) }
  })
}

/** A replaced file may have had more pages, which are shown as well. */
function rowsOf(read: number[], pageCount: number): PageRow[] {
  return Array.from({ length: Math.max(read.length, pageCount) }, (_, at) => ({ page: at + 1, read: read[at] ?? 0 }))
}

function pageOptions(step: number, colours: PlotColours, format: Format): Omit<uPlot.Options, 'width' | 'height'> {
  const base = { stroke: colours.text, grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid } }
  return {
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false }, points: { show: false } },
    scales: {
      ...COUNT_SCALES,
      x: { time: false, range: (_plot, min, max) => [min - 0.6 * step, max + 0.6 * step] },
    },
    series: [{}, { ...barsOf(colours.first), points: { show: false } }],
    axes: [
      {
        ...base,
        incrs: COUNT_STEPS,
        values: (_plot, ticks) => ticks.map((page) => (page < 1 ? '' : format.count(page))),
      },
      { ...base, ...countAxis(format) },
    ],
  }
}
