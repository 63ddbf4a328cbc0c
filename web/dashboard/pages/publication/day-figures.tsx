import { Group, Text } from '@mantine/core'
import { createColumnHelper } from '@tanstack/react-table'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type uPlot from 'uplot'
import { type tableOptions, VirtualTable } from '../../../ui/virtual-table.tsx'
import type { FigureDay } from '../../api/publications.ts'
import { type Format, useFormat } from '../../i18n/format.ts'
import { countAxis } from './count-axis.ts'
import { FigurePanel } from './figure-panel.tsx'
import { Plot } from './plot.tsx'
import { type PlotColours, usePlotColours } from './plot-colours.ts'

const column = createColumnHelper<typeof tableOptions, FigureDay>()

/** Views and readers of each day. */
export function DayFigures({ days }: { days: FigureDay[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const colours = usePlotColours()
  const title = t('figures.perDay')
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
  const columns = useMemo(
    () => [
      column.accessor('day', {
        header: t('figures.day'),
        enableSorting: false,
        cell: ({ row: { original } }) => dayWords(original.day, format),
      }),
      ...(['views', 'readers', 'downloads'] as const).map((name) =>
        column.accessor(name, {
          header: t(`figures.${name}`),
          enableSorting: false,
          cell: ({ row: { original } }) => format.count(original[name]),
        }),
      ),
      column.accessor('seconds', {
        header: t('figures.time'),
        enableSorting: false,
        cell: ({ row: { original } }) => format.span(original.seconds),
      }),
    ],
    [t, format],
  )
  return (
    <VirtualTable
      label={title}
      columns={columns}
      rows={rows}
      total={rows.length}
      rowId={({ day }) => day}
      numeric={['views', 'readers', 'downloads', 'seconds']}
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
    scales: { x: { time: false }, y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] } },
    series: [
      {},
      { stroke: colours.first, fill: colours.area, width: 2, points: { show: days.length <= 31 } },
      { stroke: colours.second, width: 1.5, points: { show: false } },
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

function dayWords(day: string, format: Format): string {
  return format.date(atNoon(day))
}

/** At noon local time, because a calendar date has no time zone. */
function atNoon(day: string): string {
  return `${day}T12:00:00`
}
