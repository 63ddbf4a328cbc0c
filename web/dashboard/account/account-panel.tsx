import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type AccountPanelProps = { title: string; explanation: string; children?: ReactNode }

/** A part of the account with what it is for. */
export function AccountPanel({ title, explanation, children }: AccountPanelProps) {
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb={children === undefined ? undefined : 'md'}>
        {explanation}
      </Text>
      {children}
    </Paper>
  )
}

/** The things in a panel, such as passkeys or sessions. */
export function AccountList({ children }: { children: ReactNode }) {
  return (
    <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  )
}

type AccountRowProps = {
  icon: LucideIcon
  name: string
  /** Follows the name. */
  badge?: ReactNode
  help: ReactNode
  /** Buttons for what one can do with it. */
  children?: ReactNode
}

/** One thing of a panel. What one can do with it lies beside it, or below it where there is no room. */
export function AccountRow({ icon: Icon, name, badge, help, children }: AccountRowProps) {
  return (
    <Group component="li" justify="space-between" gap="xs">
      <Group gap="sm" wrap="nowrap" flex="1 1 200px" miw={0}>
        <Icon size={20} aria-hidden style={{ flexShrink: 0 }} />
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            {badge}
          </Group>
          <Text size="sm" c="dimmed" component="div">
            {help}
          </Text>
        </div>
      </Group>
      {children !== undefined && <Group gap="xs">{children}</Group>}
    </Group>
  )
}
