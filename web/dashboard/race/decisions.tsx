import { Badge, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { type FormEvent, useContext, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { raceAnswers } from '../api/query-client.ts'
import { Dialog } from '../components/dialogs.tsx'
import { Failure, notify } from '../components/feedback.tsx'
import { operatorListDecisionsOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateDecision } from '../generated/sdk.gen.ts'
import type { Decision } from '../generated/types.gen.ts'
import { type Format, useFormat } from '../i18n/format.ts'
import { knownZone, momentOf, TimeZone, wallTimeOf } from '../i18n/time-zone.ts'
import { DecisionMap } from './decision-map.tsx'
import './results.css'

/** Doubts come and go as points arrive. */
const REFETCH_MS = 15_000
/** Doubts that are shown at first: they stand above the results. */
const MAX_SHOWN = 5

const keyOf = ({ bib, checkpoint }: Decision) => `${checkpoint.id} ${bib}`
const nameOf = ({ bib, name }: Decision) => (bib === name ? name : `${bib} · ${name}`)

/** The doubts about the results, to decide one after the other; nothing while there are none. */
export function Decisions({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { canEdit } = useRights()
  const [isWhole, setWhole] = useState(false)
  const [openKey, setOpenKey] = useState<string>()
  const query = useQuery({
    ...operatorListDecisionsOptions({ path: { id: eventId } }),
    refetchInterval: REFETCH_MS,
  })
  if (query.isError && query.data === undefined) {
    return <Failure error={query.error} onRetry={() => void query.refetch()} />
  }
  const decisions = query.data?.decisions ?? []
  if (decisions.length === 0) return null
  const shown = isWhole ? decisions : decisions.slice(0, MAX_SHOWN)
  const at = decisions.findIndex((one) => keyOf(one) === openKey)
  const next = decisions[at + 1] ?? (at > 0 ? decisions[0] : undefined)
  return (
    <Paper
      component="section"
      aria-label={t('race.decision.title')}
      withBorder
      p="sm"
      bg="var(--panel-background)"
      className="unprinted"
    >
      <Group gap="xs" mb={4}>
        <Title order={2} size="h5">
          {t('race.decision.title')}
        </Title>
        <Badge variant="light" color="orange" size="lg">
          {format.count(decisions.length)}
        </Badge>
      </Group>
      <ul className="decision-list">
        {shown.map((one) => (
          <li key={keyOf(one)}>
            <div className="decision-words">
              <Text size="sm" fw={600}>
                {nameOf(one)}
              </Text>
              <Text size="sm" c="dimmed">
                {doubtWords(one, t, format)}
              </Text>
            </div>
            {canEdit && (
              <Button
                size="xs"
                variant="default"
                aria-label={t('race.decision.decideAbout', { name: nameOf(one), checkpoint: one.checkpoint.name })}
                onClick={() => setOpenKey(keyOf(one))}
              >
                {t('race.decision.decide')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {shown.length < decisions.length && (
        <Button mt="xs" size="xs" variant="subtle" onClick={() => setWhole(true)}>
          {t('race.decision.showAll', { count: decisions.length, figure: format.count(decisions.length) })}
        </Button>
      )}
      {at !== -1 && (
        <Dialog opened onClose={() => setOpenKey(undefined)} size="lg" title={nameOf(decisions[at])}>
          <DecisionForm
            key={openKey}
            eventId={eventId}
            decision={decisions[at]}
            onDecided={() => setOpenKey(next && keyOf(next))}
          />
        </Dialog>
      )}
    </Paper>
  )
}

/** A stop this close to the finish counts, so that only a turn is left to decide. */
const COUNTED_STOP_METERS = 30

/** Says the doubt: `Stopped 62 m before Finish at 10:12:31.` */
function doubtWords({ kind, checkpoint, time, counted_time, ...rest }: Decision, t: TFunction, format: Format): string {
  const distance = format.distance(rest.away_m ?? 0)
  const at = { checkpoint: checkpoint.name, time: format.time(Date.parse(time)) }
  if (kind === 'near_stop') {
    const hasTurned = (rest.away_m ?? 0) <= COUNTED_STOP_METERS
    return t(hasTurned ? 'race.decision.nearTurn' : 'race.decision.nearStop', { ...at, distance })
  }
  if (kind === 'missed') return t('race.decision.missed', at)
  if (kind === 'two_passings') {
    return t('race.decision.twoPassings', { ...at, counted: format.time(Date.parse(counted_time ?? time)) })
  }
  const last = format.time(Date.parse(rest.last_point_at ?? time))
  const words = t('race.decision.silent', { checkpoint: checkpoint.name, distance, time: last })
  const { battery_percent } = rest
  return battery_percent === null ? words : `${words} ${t('race.decision.charge', { percent: battery_percent })}`
}

type DecisionFormProps = { eventId: string; decision: Decision; onDecided(): void }

function DecisionForm({ eventId, decision, onDecided }: DecisionFormProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const zone = knownZone(useContext(TimeZone))
  const proposedMs = Date.parse(decision.time)
  const [typed, setTyped] = useState(wallTimeOf(proposedMs, zone))
  const isProposed = typed === wallTimeOf(proposedMs, zone)
  const atMs = isProposed ? proposedMs : momentOf(typed, zone)
  const { bib, checkpoint, kind, is_estimated } = decision
  const words = useRef<HTMLParagraphElement>(null)
  // The form before this one had the focus, and is gone.
  useEffect(() => words.current?.focus(), [])
  const saving = useMutation({
    mutationFn: (time: string | null) =>
      operatorCreateDecision({ path: { id: eventId }, body: { bib, checkpoint_id: checkpoint.id, time } }),
    onSuccess: async () => {
      onDecided()
      notify(t('race.decision.decided', { name: nameOf(decision) }))
      await client.invalidateQueries(raceAnswers(eventId))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!Number.isNaN(atMs)) saving.mutate(isProposed ? decision.time : new Date(atMs).toISOString())
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text ref={words} tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
          {doubtWords(decision, t, format)}
        </Text>
        <DecisionMap eventId={eventId} decision={decision} />
        <TextInput
          type="datetime-local"
          step={1}
          label={t('race.decision.timeAt', { checkpoint: checkpoint.name })}
          description={[
            ...(is_estimated && isProposed ? [t('race.decision.estimated')] : []),
            t('event.timesIn', { zone: zone ?? format.zoneName(proposedMs) }),
          ].join(' · ')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          error={Number.isNaN(atMs) && t('race.startTimeMissing')}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Text size="sm" c="dimmed">
          {t(kind === 'two_passings' ? 'race.decision.rejectKeeps' : 'race.decision.rejectHelp')}
        </Text>
        {saving.isError && <Failure error={saving.error} />}
        <Group justify="flex-end">
          <Button variant="default" disabled={saving.isPending} onClick={() => saving.mutate(null)}>
            {t('race.decision.reject')}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t(isProposed ? 'race.decision.accept' : 'race.saveTime')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
