import { Center, Loader } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from './failure.tsx'

/** Renders the data of a query; a loader until it arrives, and the failure if it does not. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <Loading />
}

/** A loader for a page or a part of it. */
export function Loading() {
  const { t } = useTranslation()
  return (
    <Center py={64} role="status" aria-label={t('state.loading')}>
      <Loader type="dots" />
    </Center>
  )
}
