import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { type AuditRecord, auditQuery } from '../../api/administration/audit.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../feedback/failure.tsx'
import { Loading } from '../../feedback/loaded.tsx'
import { paths, routeIds } from '../../navigation/paths.ts'
import { AuditDetails } from './audit-details.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { type AuditSearch, filterOf } from './audit-search.ts'
import { AuditTable } from './audit-table.tsx'

/** The audit log. The address holds the filters. */
export function AuditPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: routeIds.auditLog })
  const navigate = useNavigate()
  const [opened, setOpened] = useState<AuditRecord>()
  const change = (part: AuditSearch) =>
    void navigate({
      from: paths.auditLog,
      to: '.',
      search: (before) => ({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    })
  const showSubject = (subject: string | undefined) => {
    setOpened(undefined)
    change({ subject })
  }
  return (
    <Stack>
      <PageTitle title={t('audit.title')} />
      <Text c="dimmed">{t('audit.explanation')}</Text>
      <AuditFilters search={search} onChange={change} />
      {search.subject !== undefined && (
        <Alert color="gray">
          <Group justify="space-between">
            <Text size="sm">{t('audit.onlyOne')}</Text>
            <Button size="xs" variant="default" onClick={() => showSubject(undefined)}>
              {t('audit.showAll')}
            </Button>
          </Group>
        </Alert>
      )}
      <Records search={search} onOpen={setOpened} />
      <Dialog
        title={t('audit.detailsOf', { position: String(opened?.position ?? '') })}
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        size="lg"
      >
        {opened !== undefined && <AuditDetails record={opened} onSubject={showSubject} />}
      </Dialog>
    </Stack>
  )
}

function Records({ search, onOpen }: { search: AuditSearch; onOpen(record: AuditRecord): void }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(auditQuery(filterOf(search)))
  if (query.isError && query.data === undefined)
    return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <Loading />
  const records = query.data.pages.flatMap((page) => page.records)
  if (records.length === 0)
    return (
      <EmptyState icon={ScrollText} title={t('audit.noneTitle')}>
        {t('audit.none')}
      </EmptyState>
    )
  return (
    <>
      <AuditTable records={records} onOpen={onOpen} />
      {query.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('audit.more')}
          </Button>
        </Group>
      )}
    </>
  )
}
