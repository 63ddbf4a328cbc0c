import { Group, Paper, SegmentedControl, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'

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
