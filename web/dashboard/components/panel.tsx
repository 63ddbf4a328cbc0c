import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type PanelProps = {
  title: string
  /** The purpose of the panel, below its heading. */
  help?: string
  /** Set for panels of facts beside each other, which need less room around them. */
  isDense?: boolean
  children?: ReactNode
}

/** A part of a page about one subject, with its heading. */
export function Panel({ title, help, isDense = false, children }: PanelProps) {
  return (
    <Paper withBorder p={isDense ? 'md' : 'lg'} bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {title}
      </Title>
      {help !== undefined && (
        <Text size="sm" c="dimmed" mb={children === undefined ? undefined : 'md'}>
          {help}
        </Text>
      )}
      {children}
    </Paper>
  )
}
