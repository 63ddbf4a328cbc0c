import { Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/page-title.tsx'
import { hasStatus } from '../api/api-error.ts'
import { Failure } from './failure.tsx'
import { Loading } from './loaded.tsx'
import { NotFound } from './not-found.tsx'

type LoadedPageProps<Data> = { query: UseQueryResult<Data>; children: (data: Data) => ReactNode }

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
