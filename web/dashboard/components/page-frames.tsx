import { Button, Container, Group, Paper, Stack, Text } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { hasStatus, useReachable } from '../api/api-error.ts'
import { Failure, Loading } from './feedback.tsx'
import iconUrl from './icon.svg'
import { ButtonLink } from './links.tsx'
import { RowButton } from './lists.tsx'
import { paths } from './paths.ts'
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

type LoadedPageProps<Data> = { query: UseQueryResult<Data, unknown>; children: (data: Data) => ReactNode }

/**
 * Renders a page about one thing once it is loaded. Otherwise shows that it does not exist, or the failure, with a
 * heading.
 */
export function LoadedPage<Data>({ query, children }: LoadedPageProps<Data>) {
  const { t } = useTranslation()
  if (hasStatus(query.error, 404)) return <NotFound />
  if (query.data !== undefined) return children(query.data)
  if (!query.isError) return <Loading />
  return (
    <Stack>
      <PageTitle title={t('failed.title')} />
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    </Stack>
  )
}

/** Replaces the content of a page whose subject does not exist, or no longer does. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <Stack align="flex-start">
      <PageTitle title={t('notFound.title')} />
      <Text>{t('error.notFound')}</Text>
      <ButtonLink to={paths.home}>{t('notFound.home')}</ButtonLink>
    </Stack>
  )
}

/** Replaces a page that failed to render. Nothing is lost, because pages keep no data. */
export function PageFailed({ reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  return (
    <Container size="sm" py="xl">
      <Stack align="flex-start">
        <PageTitle title={t('failed.title')} />
        <Text>{t('failed.explanation')}</Text>
        <Button onClick={reset}>{t('action.retry')}</Button>
      </Stack>
    </Container>
  )
}
