import { Container, Group, Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand } from './brand.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { Preferences } from './preferences.tsx'

/** The frame of pages for signed-out visitors: one panel in the middle. */
export function OutsidePage({ children }: { children: ReactNode }) {
  return (
    <Container size={440} py={{ base: 'md', sm: 64 }}>
      <header>
        <Group justify="space-between" mb="md">
          <Brand />
          <Group gap={4}>
            <Preferences />
          </Group>
        </Group>
      </header>
      <main id="content">
        <ConnectionBanner />
        <Paper withBorder p={{ base: 'md', sm: 'xl' }} bg="var(--panel-background)">
          <Stack>{children}</Stack>
        </Paper>
      </main>
    </Container>
  )
}
