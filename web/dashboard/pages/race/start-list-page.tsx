import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useRights } from '../../access/rights.tsx'
import { type Runner, runnersQuery } from '../../api/races.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { useFormat } from '../../i18n/format.ts'
import { routeIds } from '../../navigation/paths.ts'
import { StartListImport } from './start-list-import.tsx'
import { StartListTable } from './start-list-table.tsx'

/** The start list of an event: a table, or the way to the first one. */
export function StartListPage() {
  const { eventId } = useParams({ from: routeIds.event })
  const runners = useQuery(runnersQuery(eventId))
  return <Loaded query={runners}>{(found) => <StartList eventId={eventId} runners={found} />}</Loaded>
}

function StartList({ eventId, runners }: { eventId: string; runners: Runner[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { canEdit } = useRights()
  const [isImporting, setImporting] = useState(false)
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
        current={runners.length}
        onDone={() => setImporting(false)}
        onCancel={runners.length === 0 ? undefined : () => setImporting(false)}
      />
    )
  }
  return (
    <Stack>
      <Group justify="space-between">
        <div>
          <Title order={2}>{t('race.startList')}</Title>
          <Text c="dimmed">{t('race.runners', { count: runners.length, figure: format.count(runners.length) })}</Text>
        </div>
        {canEdit && (
          <Button variant="default" onClick={() => setImporting(true)}>
            {t('race.replaceList')}
          </Button>
        )}
      </Group>
      <StartListTable eventId={eventId} runners={runners} isFixed={!canEdit} />
    </Stack>
  )
}
