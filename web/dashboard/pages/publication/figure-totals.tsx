import { Paper, SimpleGrid, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ReadingFigures } from '../../api/publications.ts'
import { useFormat } from '../../i18n/format.ts'

/** The totals of all days. */
export function FigureTotals({ total }: { total: ReadingFigures['total'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const entries = [
    [t('figures.views'), format.count(total.views)],
    [t('figures.readers'), format.count(total.readers)],
    [t('figures.pagesRead'), format.count(total.pages.reduce((sum, count) => sum + count, 0))],
    [t('figures.time'), format.span(total.seconds)],
    [t('figures.downloads'), format.count(total.downloads)],
  ] as const
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} component="dl" m={0}>
      {entries.map(([name, figure]) => (
        <Paper key={name} withBorder p="md" bg="var(--panel-background)">
          <Text size="sm" c="dimmed" component="dt">
            {name}
          </Text>
          <Text fz={26} fw={650} className="figures" component="dd" m={0}>
            {figure}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
