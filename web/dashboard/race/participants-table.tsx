import { ActionIcon, Anchor, Button, Group, Menu, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Download, EllipsisVertical, Pencil, Plus, QrCode, Search, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foldText } from '../../../src/platform/basics/text.ts'
import { saveFile } from '../../ui/qr-code.tsx'
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx'
import { exportAddress } from '../api/addresses.ts'
import { raceAnswers } from '../api/query-client.ts'
import { Ago } from '../components/ago.tsx'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { Loaded, useAction } from '../components/feedback.tsx'
import { AnchorLink, ButtonLink, DownloadItem } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import { operatorListParticipantsOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorDeleteRunner, operatorUpdateRunnerStatus } from '../generated/sdk.gen.ts'
import type { Participant, RunnerUpdate } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { participantsCsv } from './participants-csv.ts'
import { RunnerForm, StatusDialog } from './runner-form.tsx'

/** Phones are heard all the time. */
const REFETCH_MS = 15_000
const NONE = '–'

const nameOf = ({ bib, name }: Participant) => (bib === name ? name : `${bib} · ${name}`)

type Sorting = { by: string; order: 'asc' | 'desc' }
type Opened = { dialog: 'edit' | 'remove'; runner: Participant }

type ParticipantsProps = { eventId: string; onReplace(): void }

/** All participants with their phones: to search, sort, add, edit and remove. */
export function Participants({ eventId, onReplace }: ParticipantsProps) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const [search, setSearch] = useState('')
  const [sorting, setSorting] = useState<Sorting>({ by: '', order: 'asc' })
  const [isAdding, setAdding] = useState(false)
  const [opened, setOpened] = useState<Opened>()
  const query = useQuery({
    ...operatorListParticipantsOptions({ path: { id: eventId } }),
    select: ({ participants }) => participants,
    refetchInterval: REFETCH_MS,
  })
  const columns = useColumns(eventId, setOpened)
  return (
    <Loaded query={query}>
      {(all) => {
        const found = all.filter((one) => isFound(one, search))
        return (
          <Stack gap="sm">
            <Group justify="space-between" align="flex-end">
              <div>
                <Title order={2}>{t('race.participants')}</Title>
                <Text c="dimmed" role="status">
                  {found.length === all.length
                    ? t('race.runners', { count: all.length, figure: format.count(all.length) })
                    : t('race.participantsFound', {
                        found: format.count(found.length),
                        all: format.count(all.length),
                      })}
                </Text>
              </div>
              <Group gap="xs">
                <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
                  {t('race.addRunner')}
                </Button>
                <Button variant="default" leftSection={<Upload size={16} aria-hidden />} onClick={onReplace}>
                  {t('race.replaceList')}
                </Button>
                <Button
                  variant="default"
                  leftSection={<Download size={16} aria-hidden />}
                  onClick={() => saveFile(new Blob([participantsCsv(found)], { type: 'text/csv' }), 'participants.csv')}
                >
                  {t('race.downloadParticipants')}
                </Button>
                <ButtonLink
                  variant="default"
                  to={paths.eventCodeSheet}
                  params={{ eventId }}
                  leftSection={<QrCode size={16} aria-hidden />}
                >
                  {t('race.codes')}
                </ButtonLink>
              </Group>
            </Group>
            <TextInput
              type="search"
              maw={360}
              label={t('race.searchRunners')}
              leftSection={<Search size={16} aria-hidden />}
              value={search}
              onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            />
            <VirtualTable
              label={t('race.participants')}
              columns={columns}
              rows={sorted(found, sorting, i18n.language)}
              rowId={({ user_id }) => user_id}
              sortedBy={sorting.by}
              order={sorting.order}
              onSort={(by, order) => setSorting({ by, order })}
              heightPx="min(70dvh, 900px)"
              minWidthPx={980}
            />
            {isAdding && <RunnerForm eventId={eventId} onClose={() => setAdding(false)} />}
            {opened?.dialog === 'edit' && (
              <RunnerForm eventId={eventId} runner={opened.runner} onClose={() => setOpened(undefined)} />
            )}
            {opened?.dialog === 'remove' && (
              <RunnerRemove eventId={eventId} runner={opened.runner} onClose={() => setOpened(undefined)} />
            )}
          </Stack>
        )
      }}
    </Loaded>
  )
}

function useColumns(eventId: string, onOpen: (opened: Opened) => void): Column<Participant>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const { mutate } = useAction({
    action: (body: RunnerUpdate) => operatorUpdateRunnerStatus({ path: { id: eventId }, body }),
    changes: [raceAnswers(eventId)],
    notifiesFailure: true,
  })
  return [
    { id: 'bib', head: t('race.bib'), sort: 'asc', cell: ({ bib }) => bib },
    { id: 'name', head: t('field.name'), sort: 'asc', cell: (one) => <RunnerName runner={one} /> },
    // Beside the name, so that a phone has it without scrolling.
    { id: 'actions', head: '', cell: (one) => <RunnerMenu runner={one} onOpen={onOpen} /> },
    { id: 'category', head: t('race.category'), sort: 'asc', cell: ({ category }) => category ?? NONE },
    {
      id: 'phone',
      head: t('race.phone'),
      cell: ({ phone }) =>
        phone === null ? (
          NONE
        ) : (
          <Anchor href={`tel:${phone.replace(/[^+\d]/g, '')}`} size="sm">
            {phone}
          </Anchor>
        ),
    },
    { id: 'app', head: t('race.app'), sort: 'asc', cell: (one) => <AppState runner={one} /> },
    {
      id: 'heard',
      head: t('race.lastHeard'),
      sort: 'desc',
      cell: ({ last_point_at }) => (last_point_at === null ? NONE : <Ago time={last_point_at} />),
    },
    {
      id: 'charge',
      head: t('race.charge'),
      sort: 'asc',
      isNumeric: true,
      cell: ({ battery_percent }) => (battery_percent === null ? NONE : `${format.count(battery_percent)} %`),
    },
    { id: 'status', head: t('race.status'), cell: (one) => <StatusSelect runner={one} onChange={mutate} /> },
  ]
}

function RunnerName({ runner: { name, track_id } }: { runner: Participant }) {
  if (track_id === null) return name
  return (
    <AnchorLink to={paths.track} params={{ trackId: track_id }} size="sm">
      {name}
    </AnchorLink>
  )
}

/** The state of a runner's app: set up, with a code that is not used yet, or without one. */
function AppState({ runner: { has_token, token_used_at, track_id } }: { runner: Participant }) {
  const { t } = useTranslation()
  if (token_used_at !== null || track_id !== null) return t('race.appSetUp')
  return (
    <Text span size="sm" c="dimmed">
      {t(has_token ? 'race.appWaits' : 'race.noCode')}
    </Text>
  )
}

function RunnerMenu({ runner, onOpen }: { runner: Participant; onOpen(opened: Opened): void }) {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('race.actionsFor', { name: nameOf(runner) })}>
          <EllipsisVertical size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => onOpen({ dialog: 'edit', runner })}>
          {t('race.editRunner')}
        </Menu.Item>
        {runner.track_id !== null && (
          <DownloadItem href={exportAddress(runner.track_id, 'gpx')}>{t('race.downloadTrack')}</DownloadItem>
        )}
        <Menu.Item
          color="red"
          leftSection={<Trash2 size={16} aria-hidden />}
          onClick={() => onOpen({ dialog: 'remove', runner })}
        >
          {t('race.removeRunner')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function RunnerRemove({ eventId, runner, onClose }: { eventId: string; runner: Participant; onClose(): void }) {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      onClose={onClose}
      action={() => operatorDeleteRunner({ path: { id: eventId }, body: { user_id: runner.user_id } })}
      doneMessage={t('race.runnerRemoved', { name: nameOf(runner) })}
      changes={[raceAnswers(eventId)]}
      title={t('race.removeThis', { name: nameOf(runner) })}
      confirmLabel={t('race.removeNow')}
    >
      {t('race.removeHelp', { user: runner.user_id })}
    </ConfirmDialog>
  )
}

const STATUSES = ['dns', 'dnf', 'over_limit', 'dsq'] as const

type StatusSelectProps = { runner: Participant; onChange(change: RunnerUpdate): void }

/** The status of a runner. One takes a runner out of the ranking. */
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
              : onChange({ user_id, status: value === '' ? null : (value as Participant['status']) })
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

function isFound({ bib, name, category, phone, user_id }: Participant, search: string): boolean {
  return foldText([bib, name, category, phone, user_id].join(' ')).includes(foldText(search.trim()))
}

/** Values that columns are sorted by; null comes last in both orders. */
const SORTED_BY: Record<string, (one: Participant) => string | number | null> = {
  bib: ({ bib }) => bib,
  name: ({ name }) => name,
  category: ({ category }) => category,
  app: ({ has_token, token_used_at, track_id }) =>
    track_id !== null || token_used_at !== null ? 2 : has_token ? 1 : 0,
  heard: ({ last_point_at }) => (last_point_at === null ? null : Date.parse(last_point_at)),
  charge: ({ battery_percent }) => battery_percent,
}

function sorted(rows: readonly Participant[], { by, order }: Sorting, language: string): readonly Participant[] {
  const keyOf = SORTED_BY[by]
  if (keyOf === undefined) return rows
  const { compare } = new Intl.Collator(language, { numeric: true })
  const sign = order === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null)
    return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : compare(String(x), String(y)))
  })
}
