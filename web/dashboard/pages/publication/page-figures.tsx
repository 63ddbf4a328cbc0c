import { createColumnHelper } from '@tanstack/react-table'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import uPlot from 'uplot'
import { type tableOptions, VirtualTable } from '../../../ui/virtual-table.tsx'
import { type Format, useFormat } from '../../i18n/format.ts'
import { COUNT_STEPS, countAxis } from './count-axis.ts'
import { FigurePanel } from './figure-panel.tsx'
import { Plot } from './plot.tsx'
import { type PlotColours, usePlotColours } from './plot-colours.ts'

type PageRow = { page: number; read: number }
type PageFiguresProps = { read: number[]; pageCount: number }

const column = createColumnHelper<typeof tableOptions, PageRow>()

/** The number of reads of each page. */
export function PageFigures({ read, pageCount }: PageFiguresProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const colours = usePlotColours()
  const title = t('figures.perPage')
  const rows = useMemo(() => rowsOf(read, pageCount), [read, pageCount])
  const data = useMemo<uPlot.AlignedData>(() => [rows.map(({ page }) => page), rows.map((row) => row.read)], [rows])
  const options = useMemo(() => optionsOf(colours, format), [colours, format])
  const wordsAt = (index: number) => {
    const row = rows[index]
    return row === undefined
      ? ''
      : `${t('pages.page', { page: row.page })} · ${t('figures.readTimes', { count: row.read, figure: format.count(row.read) })}`
  }
  const columns = useMemo(
    () => [
      column.accessor('page', {
        header: t('figures.page'),
        enableSorting: false,
        cell: ({ row: { original } }) => format.count(original.page),
      }),
      column.accessor('read', {
        header: t('figures.read'),
        enableSorting: false,
        cell: ({ row: { original } }) => format.count(original.read),
      }),
    ],
    [t, format],
  )
  return (
    <FigurePanel
      title={title}
      plot={<Plot label={title} data={data} options={options} wordsAt={wordsAt} hint={t('figures.hint')} />}
      table={
        <VirtualTable
          label={title}
          columns={columns}
          rows={rows}
          total={rows.length}
          rowId={({ page }) => String(page)}
          numeric={['read']}
          heightPx={320}
        />
      }
    />
  )
}

/** A replaced file may have had more pages, which are shown as well. */
function rowsOf(read: number[], pageCount: number): PageRow[] {
  return Array.from({ length: Math.max(read.length, pageCount) }, (_, at) => ({ page: at + 1, read: read[at] ?? 0 }))
}

function optionsOf(colours: PlotColours, format: Format): Omit<uPlot.Options, 'width' | 'height'> {
  const base = { stroke: colours.text, grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid } }
  return {
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false }, points: { show: false } },
    scales: {
      x: { time: false, range: (_plot, min, max) => [min - 0.6, max + 0.6] },
      y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] },
    },
    series: [
      {},
      {
        fill: colours.first,
        stroke: colours.first,
        paths: uPlot.paths.bars!({ size: [0.8, 60] }),
        points: { show: false },
      },
    ],
    axes: [
      { ...base, incrs: COUNT_STEPS, values: (_plot, ticks) => ticks.map((page) => format.count(page)) },
      { ...base, ...countAxis(format) },
    ],
  }
}
