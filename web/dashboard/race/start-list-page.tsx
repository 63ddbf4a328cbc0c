import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { useRights } from '../access/rights.tsx'
import { Loaded, useNotifyError } from '../components/feedback.tsx'
import { routeIds } from '../components/paths.ts'
import { operatorGetRankingQueryKey, operatorListRunnersOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorUpdateRunnerStatus } from '../generated/sdk.gen.ts'
import type { Runner, RunnerUpdate } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { StartListImport } from './start-list-import.tsx'
import { StatusDialog } from './status-dialog.tsx'

/** The start list of an event: a table, or the way to the first one. */
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

const STATUSES = ['dns', 'dnf', 'over_limit', 'dsq'] as const

type StartListTableProps = { eventId: string; runners: Runner[]; isFixed: boolean }

/**
 * The runners of the start list. A status takes a runner out of the ranking. If the list is fixed, it cannot be
 * changed.
 */
function StartListTable({ eventId, runners, isFixed }: StartListTableProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const notifyError = useNotifyError()
  const { mutate } = useMutation({
    mutationFn: (body: RunnerUpdate) => operatorUpdateRunnerStatus({ path: { id: eventId }, body }),
    onSuccess: async (changed) => {
      client.setQueryData(
        operatorListRunnersOptions({ path: { id: eventId } }).queryKey,
        (before) =>
          before && {
            ...before,
            runners: before.runners.map((runner) => (runner.user_id === changed.user_id ? changed : runner)),
          },
      )
      await client.invalidateQueries({ queryKey: operatorGetRankingQueryKey({ path: { id: eventId } }) })
    },
    onError: notifyError,
  })
  return (
    <VirtualTable
      label={t('race.startList')}
      columns={[
        { id: 'bib', head: t('race.bib'), cell: ({ bib }) => bib },
        { id: 'name', head: t('field.name'), cell: ({ name }) => name },
        { id: 'category', head: t('race.category'), cell: ({ category }) => category ?? '–' },
        { id: 'user', head: t('tracks.user'), cell: ({ user_id }) => user_id },
        {
          id: 'status',
          head: t('race.status'),
          cell: (runner) =>
            isFixed ? t(`race.status.${runner.status ?? 'none'}`) : <StatusSelect runner={runner} onChange={mutate} />,
        },
      ]}
      rows={runners}
      rowId={({ user_id }) => user_id}
      heightPx="min(70dvh, 900px)"
      minWidthPx={620}
    />
  )
}

type StatusSelectProps = { runner: Runner; onChange(change: RunnerUpdate): void }

function StatusSelect({ runner, onChange }: StatusSelectProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isAsking, setAsking] = useState(false)
  const { user_id, name, status, status_at, status_place } = runner
  const details = [status_place, status_at === null ? null : format.time(status_at)].filter((one) => one !== null)
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <NativeSelect
          size="xs"
          aria-label={t('race.statusOf', { name })}
          value={status ?? ''}
          onChange={({ currentTarget: { value } }) =>
            value === 'dnf'
              ? setAsking(true)
              : onChange({ user_id, status: value === '' ? null : (value as Runner['status']) })
          }
          data={[
            { value: '', label: t('race.status.none') },
            ...STATUSES.map((one) => ({ value: one, label: t(`race.status.${one}`) })),
          ]}
        />
        {details.length > 0 && (
          <Text size="xs" c="dimmed" truncate>
            {details.join(' · ')}
          </Text>
        )}
      </Group>
      {isAsking && <StatusDialog runner={runner} status="dnf" onSave={onChange} onClose={() => setAsking(false)} />}
    </>
  )
}
