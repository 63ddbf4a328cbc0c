import { Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type EmptyStateProps = { icon: LucideIcon; title: string; children?: ReactNode; action?: ReactNode; order?: 2 | 3 }

/** Replaces an empty list: explains it, and how its first entry comes about. */
export function EmptyState({ icon: Icon, title, children, action, order = 2 }: EmptyStateProps) {
  return (
    <Paper withBorder p="xl" bg="var(--panel-background)">
      <Stack align="center" gap="sm" py="lg" ta="center">
        <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
          <Icon size={28} />
        </ThemeIcon>
        <Title order={order} size="h3">
          {title}
        </Title>
        {children !== undefined && (
          <Text c="dimmed" maw={460}>
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Paper>
  )
}
