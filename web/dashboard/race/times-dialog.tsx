import { Button, Group, NativeSelect, Stack, Table, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { type FormEvent, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { raceAnswers } from '../api/query-client.ts'
import { csvBody } from '../api/request.ts'
import { Dialog } from '../components/dialogs.tsx'
import { Failure, notify } from '../components/feedback.tsx'
import { SubmitButton } from '../components/forms.tsx'
import { ListImport } from '../components/list-import.tsx'
import { operatorListTimesOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorImportTimes, operatorUpdateTime } from '../generated/sdk.gen.ts'
import type { NotedTime, Passing, Ranking, RankingEntry } from '../generated/types.gen.ts'
import { type Format, useFormat } from '../i18n/format.ts'
import { knownZone, momentOf, TimeZone, wallTimeOf } from '../i18n/time-zone.ts'
import { marginWords, sourceWords } from './entry-words.ts'
import './results.css'

type TimesDialogProps = { eventId: string; ranking: Ranking; entry: RankingEntry; onClose(): void }

/** The times of a runner at every checkpoint, with what each is from, and a form to enter, correct or remove one. */
export function TimesDialog({ eventId, ranking, entry, onClose }: TimesDialogProps) {
  const { t } = useTranslation()
  const bib = entry.bib ?? ''
  const query = operatorListTimesOptions({ path: { id: eventId }, query: { bib } })
  const noted = useQuery(query)
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('race.timesOf', { name: `${bib} · ${entry.name}` })}>
      <Stack>
        <Passings ranking={ranking} entry={entry} />
        <TimeForm eventId={eventId} bib={bib} ranking={ranking} entry={entry} times={noted.data?.times ?? []} />
        <section aria-label={t('race.timeHistory')} aria-live="polite">
          <Title order={3} size="h5">
            {t('race.timeHistory')}
          </Title>
          {noted.isError && <Failure error={noted.error} />}
          {noted.data !== undefined && <History ranking={ranking} times={noted.data.times} />}
        </section>
      </Stack>
    </Dialog>
  )
}

function Passings({ ranking, entry }: { ranking: Ranking; entry: RankingEntry }) {
  const { t } = useTranslation()
  const format = useFormat()
  const passingOf = (id: string) => entry.passings.find(({ checkpoint_id }) => checkpoint_id === id)
  const fromOf = (passing: Passing) =>
    sourceWords(passing, t, format) ?? `${t('race.recording')} ${marginWords(passing.interval_sec)}`
  return (
    <Table aria-label={t('race.passings')} className="figures" horizontalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('race.checkpoint')}</Table.Th>
          <Table.Th data-numeric>{t('race.time')}</Table.Th>
          <Table.Th>{t('race.timeFrom')}</Table.Th>
          <Table.Th data-numeric visibleFrom="sm">
            {t('race.recording')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {ranking.checkpoints.map(({ id, name }) => {
          const passing = passingOf(id)
          return (
            <Table.Tr key={id}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td data-numeric>{passing === undefined ? '–' : format.time(passing.time_ms)}</Table.Td>
              <Table.Td>
                {passing === undefined ? '–' : fromOf(passing)}
                {passing?.recorded_time_ms != null && passing.recorded_time_ms !== passing.time_ms && (
                  <Text size="xs" c="dimmed" hiddenFrom="sm">
                    {t('race.recording')} {format.time(passing.recorded_time_ms)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td data-numeric visibleFrom="sm">
                {passing?.recorded_time_ms == null ? '–' : format.time(passing.recorded_time_ms)}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

type TimeFormProps = Omit<TimesDialogProps, 'onClose'> & { bib: string; times: readonly NotedTime[] }

function TimeForm({ eventId, bib, ranking, entry, times }: TimeFormProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const zone = knownZone(useContext(TimeZone))
  const { checkpoints } = ranking
  const [checkpointId, setCheckpointId] = useState(checkpoints.at(-1)?.id ?? '')
  const passing = entry.passings.find(({ checkpoint_id }) => checkpoint_id === checkpointId)
  const byHand = times.find(({ checkpoint_id, source }) => checkpoint_id === checkpointId && source !== 'imported')
  const suggestedMs = passing?.time_ms ?? Date.parse(ranking.race_starts_at ?? ranking.as_of)
  const [typed, setTyped] = useState<string>()
  const time = typed ?? wallTimeOf(suggestedMs, zone)
  const atMs = momentOf(time, zone)
  const saving = useMutation({
    mutationFn: (moment: string | null) =>
      operatorUpdateTime({ path: { id: eventId }, body: { bib, checkpoint_id: checkpointId, time: moment } }),
    onSuccess: async (stored) => {
      setTyped(undefined)
      client.setQueryData(operatorListTimesOptions({ path: { id: eventId }, query: { bib } }).queryKey, stored)
      await client.invalidateQueries(raceAnswers(eventId))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!Number.isNaN(atMs)) saving.mutate(new Date(atMs).toISOString())
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <Group align="flex-start">
          <NativeSelect
            label={t('race.checkpoint')}
            value={checkpointId}
            onChange={({ currentTarget }) => {
              setCheckpointId(currentTarget.value)
              setTyped(undefined)
            }}
            data={checkpoints.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <TextInput
            type="datetime-local"
            step={1}
            label={t('race.timeByHand')}
            description={t('event.timesIn', { zone: zone ?? format.zoneName(Date.now()) })}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            error={Number.isNaN(atMs) && t('race.startTimeMissing')}
            value={time}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </Group>
        {saving.isError && <Failure error={saving.error} />}
        <Group>
          <SubmitButton isPending={saving.isPending}>{t('race.saveTime')}</SubmitButton>
          {(passing?.source === 'manual' || byHand?.source === 'rejected') && (
            <Button variant="default" disabled={saving.isPending} onClick={() => saving.mutate(null)}>
              {t(byHand?.source === 'rejected' ? 'race.decision.again' : 'race.removeTime')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function notedWords(source: NotedTime['source'], time: string | null, t: TFunction, format: Format): string {
  if (source === 'rejected') return t('race.decision.rejected')
  const words = time === null ? t('race.timeRemoved') : format.time(time)
  return `${words} · ${t(source === 'manual' ? 'race.byHand' : 'race.imported')}`
}

function History({ ranking, times }: { ranking: Ranking; times: readonly NotedTime[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (times.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('race.noTimes')}
      </Text>
    )
  }
  const nameOf = (id: string) => ranking.checkpoints.find((one) => one.id === id)?.name ?? '–'
  return (
    <ul className="time-history">
      {times.map(({ id, checkpoint_id, source, time, noted_by, noted_at }) => (
        <li key={id}>
          <Text span size="sm" className="figures">
            {nameOf(checkpoint_id)}
            {t('audit.colon')}
            {notedWords(source, time, t, format)}
          </Text>{' '}
          <Text span size="xs" c="dimmed">
            {t('race.notedBy', { name: noted_by, time: format.dateTime(noted_at) })}
          </Text>
        </li>
      ))}
    </ul>
  )
}

type TimesImportProps = { eventId: string; ranking: Ranking; onClose(): void }

/** Takes times of a timing system as CSV, shows how they are read, and names each wrong line. */
export function TimesImport({ eventId, ranking, onClose }: TimesImportProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const path = { id: eventId }
  const nameOf = (id: string) => ranking.checkpoints.find((one) => one.id === id)?.name ?? '–'
  const timesOf = (count: number) => t('race.timesCount', { count, figure: format.count(count) })
  return (
    <Dialog opened onClose={onClose} size="xl" title={t('race.importTimes')}>
      <ListImport
        title={null}
        help={t('race.importTimesHelp')}
        label={t('race.timesCsv')}
        description={t('race.timesCsvHelp')}
        example={t('race.timesCsvExample')}
        check={async (csv) => {
          const { times } = await operatorImportTimes({ path, query: { check: 'true' }, ...csvBody(csv) })
          return { people: times }
        }}
        store={(csv) => operatorImportTimes({ path, ...csvBody(csv) })}
        onStored={async ({ times }) => {
          notify(t('race.timesStored', { times: timesOf(times.length) }))
          onClose()
          await client.invalidateQueries(raceAnswers(eventId))
        }}
        storeLabel={t('race.importTimes')}
        onCancel={onClose}
        summary={(times) => timesOf(times.length)}
        previewLabel={t('race.timesCsv')}
        columns={[
          { head: t('race.bib'), cell: ({ bib }) => bib },
          { head: t('race.checkpoint'), cell: ({ checkpoint_id }) => nameOf(checkpoint_id) },
          { head: t('race.time'), cell: ({ time }) => format.time(time) },
        ]}
        personId={({ bib, checkpoint_id, time }) => `${bib} ${checkpoint_id} ${time}`}
      />
    </Dialog>
  )
}
