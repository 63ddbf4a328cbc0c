import { Alert, Autocomplete, Button, Group, List, NativeSelect, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Eraser } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { runnerName } from '../../../src/tracks/model/runner-names.ts'
import { StackedTable } from '../../ui/stacked-table.tsx'
import { EmptyState, PageTitle } from '../../ui/titles.tsx'
import { erasuresQuery } from '../api/queries.ts'
import { ConfirmDialog, Dialog } from '../components/dialogs.tsx'
import { Loaded } from '../components/feedback.tsx'
import { ResourceForm } from '../components/forms.tsx'
import { AnchorLink } from '../components/links.tsx'
import { MoreButton, usePages } from '../components/lists.tsx'
import { paths } from '../components/paths.ts'
import { personOf, runnersById } from '../credentials/person-codes.ts'
import {
  operatorListErasuresQueryKey,
  operatorListEventsOptions,
  operatorListRunnersOptions,
  operatorListTokensOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateErasure, operatorGetErasurePreview } from '../generated/sdk.gen.ts'
import type { ErasurePreview, ErasureReceipt, ErasureRequest } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { ErasedData, isScheduled, useErasurePlace } from './erased-data.tsx'

/** Erases the data of people, and lists the receipts of all erasures. */
export function ErasuresPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const receipts = useInfiniteQuery(erasuresQuery)
  const { rows } = usePages(receipts, ({ erasures }) => erasures)
  const [isErasing, setErasing] = useState(false)
  const close = () => setErasing(false)
  return (
    <>
      <Group justify="space-between">
        <PageTitle title={t('erasures.title')} />
        <Button color="red" leftSection={<Eraser size={16} aria-hidden />} onClick={() => setErasing(true)}>
          {t('erasures.erase')}
        </Button>
      </Group>
      <Text c="dimmed" maw={720}>
        {t('erasures.explanation')}
      </Text>
      <Loaded query={receipts}>
        {() => (
          <Stack>
            <Receipts receipts={rows} />
            <MoreButton query={receipts}>{t('erasures.more')}</MoreButton>
          </Stack>
        )}
      </Loaded>
      <Dialog title={t('erasures.erase')} opened={isErasing} onClose={close}>
        <ErasureCreate
          onErased={({ id }) => void navigate({ to: paths.erasure, params: { erasureId: id } })}
          onCancel={close}
        />
      </Dialog>
    </>
  )
}

function Receipts({ receipts }: { receipts: readonly ErasureReceipt[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const placeOf = useErasurePlace()
  if (receipts.length === 0)
    return (
      <EmptyState icon={Eraser} title={t('erasures.empty')}>
        {t('erasures.emptyHelp')}
      </EmptyState>
    )
  return (
    <StackedTable
      label={t('erasures.receipts')}
      columns={[
        {
          head: t('erasures.started'),
          cell: ({ id, started_at, finished_at }) => (
            <>
              <AnchorLink to={paths.erasure} params={{ erasureId: id }}>
                {format.dateTime(started_at)}
              </AnchorLink>
              {finished_at === null &&
                ` · ${t(isScheduled({ started_at, finished_at }) ? 'erasures.scheduled' : 'erasures.running')}`}
            </>
          ),
        },
        { head: t('erasures.kind'), cell: ({ kind }) => t(`erasures.of.${kind}`) },
        { head: t('erasures.where'), cell: ({ event_id }) => placeOf(event_id) },
        { head: t('erasures.tracks'), cell: ({ erased }) => format.count(erased.tracks) },
        { head: t('erasures.points'), cell: ({ erased }) => format.count(erased.points) },
      ]}
      rows={receipts}
      rowId={({ id }) => id}
    />
  )
}

type ErasureCreateProps = { onErased(receipt: ErasureReceipt): void; onCancel(): void }

/** A person in an event whose data was looked up. `name` is the chosen one. */
type FoundPerson = { subject: ErasureRequest; name: string; preview: ErasurePreview }

/** Asks for a person of an event by name, shows their data, and erases it after a confirmation. */
function ErasureCreate({ onErased, onCancel }: ErasureCreateProps) {
  const { t } = useTranslation()
  const events = useQuery({ ...operatorListEventsOptions(), select: ({ events }) => events })
  const [eventId, setEventId] = useState('')
  const [found, setFound] = useState<FoundPerson>()
  const people = usePeople(eventId)
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { person: '' },
    validate: { person: (value) => (value.trim() === '' ? t('erasures.personMissing') : null) },
  })
  const look = async (userId: string, name: string, inEvent: string | null) => {
    const subject = { user_id: userId, event_id: inEvent }
    return { subject, name, preview: await operatorGetErasurePreview({ body: subject }) }
  }
  const isEmpty = found !== undefined && found.preview.tables.length === 0
  return (
    <>
      <ResourceForm
        form={form}
        save={({ person }) => {
          const userId = people.get(person.trim()) ?? person.trim()
          return look(userId, person.trim(), eventId === '' ? null : eventId)
        }}
        onSaved={setFound}
        submitLabel={t('erasures.look')}
        onCancel={onCancel}
      >
        <NativeSelect
          label={t('erasures.event')}
          required
          withAsterisk={false}
          value={eventId}
          onChange={({ currentTarget }) => {
            setEventId(currentTarget.value)
            setFound(undefined)
          }}
          data={[
            { value: '', label: t('erasures.chooseEvent'), disabled: true },
            ...(events.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          data-autofocus
        />
        <Autocomplete
          label={t('erasures.person')}
          description={t('erasures.personHelp')}
          data={[...people.keys()]}
          limit={PEOPLE_SHOWN}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          key={form.key('person')}
          {...form.getInputProps('person')}
        />
        {isEmpty && (
          <Alert color="gray" role="status" title={t('erasures.nothing')}>
            <Stack gap="xs" align="flex-start">
              {t('erasures.nothingHelp')}
              {found.subject.event_id != null && (
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => void look(found.subject.user_id, found.name, null).then(setFound)}
                >
                  {t('erasures.lookEverywhere')}
                </Button>
              )}
            </Stack>
          </Alert>
        )}
      </ResourceForm>
      {found !== undefined && !isEmpty && (
        <ErasureConfirm
          key={found.subject.event_id}
          {...found}
          onEverywhere={() => void look(found.subject.user_id, found.name, null).then(setFound)}
          onErased={onErased}
          onClose={() => setFound(undefined)}
        />
      )}
    </>
  )
}

/** People that are offered at once. */
const PEOPLE_SHOWN = 20

/** Returns the `user_id` of the people of an event by their names: the start list, and people with a token. */
function usePeople(eventId: string): ReadonlyMap<string, string> {
  const isChosen = eventId !== ''
  const path = { id: eventId }
  const runners = useQuery({ ...operatorListRunnersOptions({ path }), enabled: isChosen }).data?.runners ?? []
  const tokens = useQuery({ ...operatorListTokensOptions({ path }), enabled: isChosen }).data?.tokens ?? []
  const byId = runnersById(runners)
  const people = new Map<string, string>()
  const add = (name: string, userId: string) => people.set(people.has(name) ? `${name} (${userId})` : name, userId)
  for (const runner of runners) add(runnerName(runner), runner.user_id)
  for (const token of tokens)
    if (token.user_id !== null && !byId.has(token.user_id)) add(personOf(token, byId).fullName, token.user_id)
  return people
}

type ErasureConfirmProps = FoundPerson & {
  onEverywhere(): void
  onErased(receipt: ErasureReceipt): void
  onClose(): void
}

function ErasureConfirm({ subject, name, preview, onEverywhere, onErased, onClose }: ErasureConfirmProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const isEverywhere = subject.event_id == null
  const names = new Set(preview.events.map((place) => place.name ?? subject.user_id))
  const [place] = preview.events
  const shownName = isEverywhere ? subject.user_id : (place?.name ?? name)
  return (
    <ConfirmDialog
      onClose={onClose}
      action={() => operatorCreateErasure({ body: subject })}
      onDone={async (receipt) => {
        onErased(receipt)
        await client.invalidateQueries({ queryKey: operatorListErasuresQueryKey() })
      }}
      title={t(isEverywhere ? 'erasures.confirmEverywhere' : 'erasures.confirm', { user: shownName })}
      confirmLabel={t('erasures.eraseForGood')}
      typedName={subject.user_id}
      typeLabel={t('erasures.typeUser')}
    >
      <Stack>
        {isEverywhere && names.size > 1 && (
          <Alert color="red" role="alert" title={t('erasures.severalNames')}>
            {t('erasures.severalNamesHelp')}
          </Alert>
        )}
        <List spacing={4} aria-label={t('erasures.places')}>
          {preview.events.map(({ event_id, event_name, name: there, tracks }) => (
            <List.Item key={event_id}>
              <strong>{there ?? subject.user_id}</strong> · {event_name} ·{' '}
              {t('erasures.tracksThere', { count: tracks, figure: tracks })}
            </List.Item>
          ))}
        </List>
        <Text>{t('erasures.confirmHelp')}</Text>
        <ErasedData data={preview} />
        {!isEverywhere && (
          <Group>
            <Button variant="subtle" size="compact-sm" onClick={onEverywhere}>
              {t('erasures.lookEverywhere')}
            </Button>
          </Group>
        )}
      </Stack>
    </ConfirmDialog>
  )
}
