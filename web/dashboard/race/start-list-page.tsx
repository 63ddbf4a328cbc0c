import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState, useFocusAfter } from '../../ui/titles.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { useRights } from '../access/rights.tsx'
import { Loaded } from '../components/feedback.tsx'
import { routeIds } from '../components/paths.ts'
import { operatorListRunnersOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { Runner } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { Participants } from './participants-table.tsx'
import { StartListImport } from './start-list-import.tsx'

/** The start list of an event: the participants with their phones for editors, and the way to the first list. */
export function StartListPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const runners = useQuery({
    ...operatorListRunnersOptions({ path: { id: eventId } }),
    select: ({ runners }) => runners,
  })
  return <Loaded query={runners}>{(found) => <StartList eventId={eventId} runners={found} />}</Loaded>
}

function StartList({ eventId, runners }: { eventId: string; runners: Runner[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { canEdit } = useRights()
  const [isImporting, setImporting] = useState(false)
  useFocusAfter(runners.length === 0 || isImporting ? 'import' : 'list')
  if (runners.length === 0 && !canEdit) {
    return (
      <EmptyState icon={Users} title={t('race.noList')}>
        {t('access.noStartList')}
      </EmptyState>
    )
  }
  if (runners.length === 0 || isImporting) {
    return (
      <StartListImport
        eventId={eventId}
        current={runners}
        onDone={() => setImporting(false)}
        onCancel={runners.length === 0 ? undefined : () => setImporting(false)}
      />
    )
  }
  if (canEdit) return <Participants eventId={eventId} onReplace={() => setImporting(true)} />
  return (
    <Stack>
      <div>
        <Title order={2}>{t('race.startList')}</Title>
        <Text c="dimmed">{t('race.runners', { count: runners.length, figure: format.count(runners.length) })}</Text>
      </div>
      <VirtualTable
        label={t('race.startList')}
        columns={[
          { id: 'bib', head: t('race.bib'), cell: ({ bib }) => bib },
          { id: 'name', head: t('field.name'), cell: ({ name }) => name },
          { id: 'category', head: t('race.category'), cell: ({ category }) => category ?? '–' },
          { id: 'user', head: t('tracks.user'), cell: ({ user_id }) => user_id },
          { id: 'status', head: t('race.status'), cell: ({ status }) => t(`race.status.${status ?? 'none'}`) },
        ]}
        rows={runners}
        rowId={({ user_id }) => user_id}
        heightPx="min(70dvh, 900px)"
        minWidthPx={620}
      />
    </Stack>
  )
}
