import { Container, Group, Paper, Stack, Text } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useReachable } from '../api/api-error.ts'
import iconUrl from './icon.svg'
import { RowButton } from './lists.tsx'
import { NotFound } from './page-states.tsx'
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

/** The page for addresses that no route matches. */
export function UnknownPage() {
  return (
    <OutsidePage>
      <NotFound />
    </OutsidePage>
  )
}

/** Warns while the server cannot be reached, so that nobody takes old figures for current ones. */
export function ConnectionBanner() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  const reachable = useReachable()
  const client = useQueryClient()
  const gone = !online || !reachable
  return (
    <div role="status">
      {gone && (
        <Paper withBorder p="xs" px="md" mb="md" bg="var(--mantine-color-yellow-light)">
          <Group justify="space-between" gap="sm">
            <Group gap="sm" wrap="nowrap">
              <CloudOff size={18} aria-hidden />
              <Text size="sm">{online ? t('connection.serverGone') : t('connection.offline')}</Text>
            </Group>
            <RowButton onClick={() => void client.invalidateQueries()}>{t('action.retry')}</RowButton>
          </Group>
        </Paper>
      )}
    </div>
  )
}

/** The name of the program with its logo. */
export function Brand() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src={iconUrl} alt="" width={28} height={28} />
      <Text component="span" fw={650} size="lg" className="brand-name">
        Trackpress
      </Text>
    </Group>
  )
}
