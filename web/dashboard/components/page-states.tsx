import { Button, Container, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { hasStatus } from '../api/api-error.ts'
import { Failure, Loading } from './feedback.tsx'
import { ButtonLink } from './links.tsx'
import { paths } from './paths.ts'

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
