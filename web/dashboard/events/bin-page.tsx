import { Group, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { EmptyState, PageTitle } from '../../ui/titles.tsx'
import { NotAllowed, useRights } from '../access/rights.tsx'
import { Ago } from '../components/ago.tsx'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { Loaded, notify, useNotifyError } from '../components/feedback.tsx'
import { RowButton } from '../components/lists.tsx'
import { operatorGetBinOptions } from '../generated/@tanstack/react-query.gen.ts'
import {
  operatorDeleteBinnedEvent,
  operatorDeleteBinnedTrack,
  operatorRestoreEvent,
  operatorRestoreTrack,
} from '../generated/sdk.gen.ts'
import type { Bin } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'

/** Lists what operators have deleted and can restore: events, and tracks of events that are there. */
export function BinPage() {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const bin = useQuery({ ...operatorGetBinOptions(), enabled: canEdit, staleTime: 0 })
  if (!canEdit) return <NotAllowed />
  return (
    <>
      <PageTitle title={t('bin.title')} />
      <Loaded query={bin}>{(found) => <Contents {...found} />}</Loaded>
    </>
  )
}

/** A thing in the bin: an event or a track. */
type Binned = { id: string; name: string; about?: string; deleted_at: string; gone_at: string }

function Contents({ days, events, tracks }: Bin) {
  const { t } = useTranslation()
  const { canGovern } = useRights()
  const format = useFormat()
  const ofTracks = tracks.map(({ event_name, start_ts, points_count, ...track }) => ({
    ...track,
    about: [
      event_name,
      format.dateTime(start_ts),
      t('events.points', { count: points_count, figure: format.count(points_count) }),
    ].join(' · '),
  }))
  if (events.length + tracks.length === 0)
    return (
      <EmptyState icon={Trash2} title={t(days === 0 ? 'bin.none' : 'bin.empty')}>
        {days === 0 ? t('bin.off') : t('bin.help', { count: days })}
      </EmptyState>
    )
  return (
    <Stack>
      <Text c="dimmed" maw={720}>
        {t('bin.help', { count: days })}
      </Text>
      {events.length > 0 && <Things title={t('events.title')} kind="event" things={events} canChange={canGovern} />}
      {tracks.length > 0 && <Things title={t('bin.tracks')} kind="track" things={ofTracks} canChange />}
    </Stack>
  )
}

type ThingsProps = { title: string; kind: 'event' | 'track'; things: readonly Binned[]; canChange: boolean }

function Things({ title, kind, things, canChange }: ThingsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <section aria-label={title}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      <StackedTable
        label={title}
        columns={[
          {
            head: t('field.name'),
            isBare: true,
            cell: ({ name, about }) => (
              <Stack gap={2}>
                <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {name}
                </Text>
                {about !== undefined && (
                  <Text size="sm" c="dimmed">
                    {about}
                  </Text>
                )}
              </Stack>
            ),
          },
          { head: t('bin.deleted'), cell: ({ deleted_at }) => <Ago time={deleted_at} /> },
          { head: t('bin.until'), cell: ({ gone_at }) => format.dateTime(gone_at) },
          ...(canChange
            ? [
                {
                  head: t('table.actions'),
                  isBare: true,
                  cell: (thing: Binned) => <Actions kind={kind} thing={thing} />,
                },
              ]
            : []),
        ]}
        rows={things}
        rowId={({ id }) => id}
      />
    </section>
  )
}

const OPERATIONS = {
  event: { restore: operatorRestoreEvent, erase: operatorDeleteBinnedEvent },
  track: { restore: operatorRestoreTrack, erase: operatorDeleteBinnedTrack },
} as const

function Actions({ kind, thing: { id, name } }: { kind: 'event' | 'track'; thing: Binned }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isAsking, ask] = useState(false)
  const restore = useRestore(kind, { id, name })
  return (
    <Group gap="xs" wrap="nowrap">
      <RowButton
        leftSection={<RotateCcw size={16} aria-hidden />}
        loading={restore.isPending}
        onClick={() => restore.mutate()}
        aria-label={t('bin.restoreThis', { name })}
      >
        {t('bin.restore')}
      </RowButton>
      <RowButton onClick={() => ask(true)} aria-label={t('bin.eraseThis', { name })}>
        {t('bin.erase')}
      </RowButton>
      {isAsking && (
        <ConfirmDialog
          onClose={() => ask(false)}
          action={() => OPERATIONS[kind].erase({ path: { id } })}
          onDone={async () => {
            notify(t('bin.erased', { name }))
            await client.invalidateQueries()
          }}
          title={t('bin.eraseThis', { name })}
          confirmLabel={t('bin.erase')}
        >
          {t(kind === 'event' ? 'bin.eraseEventHelp' : 'bin.eraseTrackHelp')}
        </ConfirmDialog>
      )}
    </Group>
  )
}

/** Restores a thing of the bin, and says so. */
function useRestore(kind: 'event' | 'track', { id, name }: { id: string; name: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => OPERATIONS[kind].restore({ path: { id } }),
    onSuccess: async () => {
      notify(t('bin.restored', { name }))
      await client.invalidateQueries()
    },
    onError: useNotifyError(),
  })
}
