import { Group, Stack, Text, Title } from '@mantine/core'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { EmptyState } from '../../ui/titles.tsx'
import {
  operatorDeleteBinnedEvent,
  operatorDeleteBinnedPublication,
  operatorDeleteBinnedTrack,
} from '../generated/sdk.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { Ago } from './ago.tsx'
import { ConfirmDialog } from './dialogs.tsx'
import { useAction } from './feedback.tsx'
import { RowButton } from './lists.tsx'
import { type BinnedKind, RESTORE } from './undo-deletion.ts'

/** A thing in the bin. */
type Binned = { id: string; name: string; about?: string; deleted_at: string; gone_at: string }

/** Says that the bin is empty, or that there is none. */
export function EmptyBin({ days }: { days: number }) {
  const { t } = useTranslation()
  return (
    <EmptyState icon={Trash2} title={t(days === 0 ? 'bin.none' : 'bin.empty')}>
      {days === 0 ? t('bin.off') : t('bin.help', { count: days })}
    </EmptyState>
  )
}

type BinTableProps = { title: string; kind: BinnedKind; things: readonly Binned[]; canChange: boolean }

/** Things of one kind in the bin, each with buttons that restore it and delete it for good. */
export function BinTable({ title, kind, things, canChange }: BinTableProps) {
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

const ERASE = {
  event: operatorDeleteBinnedEvent,
  track: operatorDeleteBinnedTrack,
  publication: operatorDeleteBinnedPublication,
} as const

const ERASE_HELP = {
  event: 'bin.eraseEventHelp',
  track: 'bin.eraseTrackHelp',
  publication: 'bin.erasePublicationHelp',
} as const

/** All of them: lists, sums and limits change with each thing that leaves the bin. */
const ALL_ANSWERS = {}

function Actions({ kind, thing: { id, name } }: { kind: BinnedKind; thing: Binned }) {
  const { t } = useTranslation()
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
          action={() => ERASE[kind]({ path: { id } })}
          doneMessage={t('bin.erased', { name })}
          changes={[ALL_ANSWERS]}
          title={t('bin.eraseThis', { name })}
          confirmLabel={t('bin.erase')}
        >
          {t(ERASE_HELP[kind])}
        </ConfirmDialog>
      )}
    </Group>
  )
}

/** Restores a thing of the bin, and says so. */
function useRestore(kind: BinnedKind, { id, name }: { id: string; name: string }) {
  const { t } = useTranslation()
  return useAction({
    action: () => RESTORE[kind]({ path: { id } }),
    doneMessage: t('bin.restored', { name }),
    changes: [{}],
    notifiesFailure: true,
  })
}
