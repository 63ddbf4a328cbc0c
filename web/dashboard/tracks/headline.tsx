import { Group, Paper, SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { HeadlineFigure } from './headline-figures.ts'
import './headline.css'

type HeadlineProps = {
  label: string
  figures: readonly HeadlineFigure[]
  /** Anything beside a figure's name, such as where it comes from. */
  about?(figure: HeadlineFigure): ReactNode
}

/** The figures that people ask for first: distance, time, pace or speed, and climb. */
export function Headline({ label, figures, about }: HeadlineProps) {
  return (
    <section aria-label={label}>
      <SimpleGrid cols={{ base: 2, sm: figures.length }} spacing="sm">
        {figures.map((figure) => (
          <Paper key={figure.name} withBorder p="sm" bg="var(--panel-background)">
            <Group justify="space-between" wrap="nowrap" align="flex-start" gap={4}>
              <Text size="sm" c="dimmed" className="figure-name">
                {figure.title}
              </Text>
              {about?.(figure)}
            </Group>
            <Text fw={650} className="figures headline-value">
              {figure.value}
            </Text>
            {figure.detail !== undefined && (
              <Text size="sm" c="dimmed" className="figures">
                {figure.detail}
              </Text>
            )}
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  )
}
