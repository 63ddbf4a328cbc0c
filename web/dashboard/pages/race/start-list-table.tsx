import { NativeSelect } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type VirtualColumns, VirtualTable } from '../../../ui/virtual-table.tsx'
import { queryKeys } from '../../api/query-keys.ts'
import { changeRunner, type Runner, runnersQuery } from '../../api/races.ts'
import { useNotifyError } from '../../feedback/notify.ts'

const STATUSES = ['dns', 'dnf', 'dsq'] as const

type StartListTableProps = { eventId: string; runners: Runner[]; isFixed: boolean }

/**
 * The runners of the start list. A status takes a runner out of the ranking. If the list is fixed, it cannot be
 * changed.
 */
export function StartListTable({ eventId, runners, isFixed }: StartListTableProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const notifyError = useNotifyError()
  const changing = useMutation({
    mutationFn: ({ user_id, status }: Pick<Runner, 'user_id' | 'status'>) => changeRunner(eventId, user_id, { status }),
    onSuccess: async (changed) => {
      client.setQueryData(runnersQuery(eventId).queryKey, (before) =>
        before?.map((runner) => (runner.user_id === changed.user_id ? changed : runner)),
      )
      await client.invalidateQueries({ queryKey: queryKeys.ranking(eventId) })
    },
    onError: notifyError,
  })
  const { mutate } = changing
  const columns = useMemo(() => columnsOf(t, isFixed ? undefined : mutate), [t, mutate, isFixed])
  return (
    <VirtualTable
      label={t('race.startList')}
      columns={columns}
      rows={runners}
      total={runners.length}
      rowId={({ user_id }) => user_id}
      heightPx="min(70dvh, 900px)"
      minWidthPx={620}
    />
  )
}

function columnsOf(
  t: TFunction,
  onChange: ((change: Pick<Runner, 'user_id' | 'status'>) => void) | undefined,
): VirtualColumns<Runner> {
  return [
    { id: 'bib', accessorFn: ({ bib }) => bib, header: t('race.bib'), enableSorting: false },
    { id: 'name', accessorFn: ({ name }) => name, header: t('field.name'), enableSorting: false },
    { id: 'category', accessorFn: ({ category }) => category ?? '–', header: t('race.category'), enableSorting: false },
    { id: 'user', accessorFn: ({ user_id }) => user_id, header: t('tracks.user'), enableSorting: false },
    {
      id: 'status',
      header: t('race.status'),
      enableSorting: false,
      cell: ({ row: { original } }) =>
        onChange === undefined ? (
          t(original.status === null ? 'race.status.none' : `race.status.${original.status}`)
        ) : (
          <NativeSelect
            size="xs"
            aria-label={t('race.statusOf', { name: original.name })}
            value={original.status ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ user_id: original.user_id, status: value === '' ? null : (value as Runner['status']) })
            }
            data={[
              { value: '', label: t('race.status.none') },
              ...STATUSES.map((status) => ({ value: status, label: t(`race.status.${status}`) })),
            ]}
          />
        ),
    },
  ]
}
