import { Badge, Button, Group, Modal, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Check, ListChecks, MapPin } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isForPhones } from '../../../src/tracks/model/event-rules.ts'
import { EmptyState } from '../../ui/titles.tsx'
import { useRights } from '../access/rights.tsx'
import { sharesQuery } from '../api/queries.ts'
import { Loaded } from '../components/feedback.tsx'
import { ButtonLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import {
  operatorGetEventOptions,
  operatorGetRaceOptions,
  operatorListTokensOptions,
} from '../generated/@tanstack/react-query.gen.ts'
import type { AppToken, Race, Share } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import './first-steps.css'
import { RehearsalPanel } from './rehearsal.tsx'

/** The steps of a new event, in their order. */
const STEPS = [
  { name: 'course', to: paths.eventCourse },
  { name: 'list', to: paths.eventParticipants },
  { name: 'phones', to: paths.eventPhones },
  { name: 'share', to: paths.eventShare },
] as const

type StepName = (typeof STEPS)[number]['name']

/**
 * Replaces the map and the list of an event without tracks: the steps from the course to the spectators, which tick
 * themselves, for operators who may take them.
 */
export function FirstSteps({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const event = useQuery(operatorGetEventOptions({ path: { id: eventId } }))
  if (event.data?.rehearsal_of != null) return <EmptyState icon={MapPin} title={t('rehearsal.starting')} />
  if (!canEdit) {
    return (
      <EmptyState icon={MapPin} title={t('live.empty')}>
        {t('access.noTracksYet')}
      </EmptyState>
    )
  }
  return (
    <Stack>
      <EventSteps eventId={eventId} />
      {event.data !== undefined && <RehearsalPanel event={event.data} />}
    </Stack>
  )
}

/** Events whose steps are not shown beside the map any more, in this browser. */
const HIDDEN_STEPS = { key: 'trackpress-hidden-steps', defaultValue: [] as string[], getInitialValueInEffect: false }
/** Events that are remembered at most. */
const MAX_HIDDEN = 200

/**
 * A button beside the live map that leads to the steps of an event with tracks, until all are taken or somebody hides
 * them; nothing for those who may not take them, and for rehearsals.
 */
export function RemainingSteps({ eventId }: { eventId: string }) {
  const { canEdit } = useRights()
  const event = useQuery(operatorGetEventOptions({ path: { id: eventId } }))
  const [hidden] = useLocalStorage(HIDDEN_STEPS)
  if (!canEdit || event.data === undefined || event.data.rehearsal_of !== null) return null
  return hidden.includes(eventId) ? null : <StepsButton eventId={eventId} />
}

function StepsButton({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const { isKnown, doneCount } = useSteps(eventId)
  const [, setHidden] = useLocalStorage(HIDDEN_STEPS)
  const [isOpen, { open, close }] = useDisclosure()
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step leads to another page of the event, in the same frame
  useEffect(close, [close, pathname])
  if (!isKnown || doneCount === STEPS.length) return null
  return (
    <>
      <Button
        variant="light"
        size="compact-sm"
        leftSection={<ListChecks size={14} aria-hidden />}
        onClick={open}
        aria-haspopup="dialog"
      >
        {t('steps.remaining', { done: doneCount, total: STEPS.length })}
      </Button>
      <Modal
        opened={isOpen}
        closeButtonProps={{ 'aria-label': t('action.close') }}
        onClose={close}
        size="lg"
        title={t('steps.title')}
      >
        <Stack>
          <EventSteps eventId={eventId} hasTracks />
          <Group justify="flex-end">
            <Button
              variant="default"
              onClick={() => setHidden((ids) => [eventId, ...ids.filter((id) => id !== eventId)].slice(0, MAX_HIDDEN))}
            >
              {t('steps.hide')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

/** Returns the result of each step, and how many are taken. */
function useSteps(eventId: string) {
  const race = useQuery(operatorGetRaceOptions({ path: { id: eventId } }))
  const tokens = useQuery({ ...operatorListTokensOptions({ path: { id: eventId } }), select: ({ tokens }) => tokens })
  const shares = useQuery(sharesQuery(eventId))
  const results = useResults(race.data, tokens.data, shares.data?.shares)
  const doneCount = STEPS.filter(({ name }) => results[name] !== undefined).length
  return { race, results, doneCount, isKnown: race.isSuccess && tokens.isSuccess && shares.isSuccess }
}

/** The steps, on the page of an event without tracks; for one with tracks, in a dialog that has their title. */
function EventSteps({ eventId, hasTracks = false }: { eventId: string; hasTracks?: boolean }) {
  const { t } = useTranslation()
  const { race, results, doneCount } = useSteps(eventId)
  return (
    <Paper
      withBorder={!hasTracks}
      p={hasTracks ? 0 : 'lg'}
      bg={hasTracks ? undefined : 'var(--panel-background)'}
      component="section"
      aria-label={t('steps.title')}
    >
      <Group justify="space-between" align="baseline">
        {!hasTracks && (
          <Title order={2} size="h3">
            {t('steps.title')}
          </Title>
        )}
        <Text c="dimmed" role="status">
          {t('steps.done', { done: doneCount, total: STEPS.length })}
        </Text>
      </Group>
      {!hasTracks && (
        <Text c="dimmed" maw={640}>
          {t('steps.help')}
        </Text>
      )}
      <Loaded query={race}>
        {() => (
          <ol className="first-steps">
            {STEPS.map(({ name, to }, at) => (
              <Step
                key={name}
                name={name}
                number={at + 1}
                result={results[name]}
                isNext={STEPS.find((step) => results[step.name] === undefined)?.name === name}
              >
                {(variant, label) => (
                  <ButtonLink size="sm" variant={variant} to={to} params={{ eventId }}>
                    {label}
                  </ButtonLink>
                )}
              </Step>
            ))}
          </ol>
        )}
      </Loaded>
    </Paper>
  )
}

/** Returns the outcome of each step; undefined for a step that is still to be taken. */
function useResults(
  race: Race | undefined,
  tokens: readonly AppToken[] = [],
  shares: readonly Share[] = [],
): Record<StepName, string | undefined> {
  const { t } = useTranslation()
  const format = useFormat()
  const runners = race?.runners_count ?? 0
  const codes = tokens.filter(isForPhones).length
  const now = Date.now()
  const isShared = shares.some(
    ({ revoked_at, expires_at }) => revoked_at === null && (expires_at === null || Date.parse(expires_at) > now),
  )
  return {
    course: race?.length_m == null ? undefined : format.distance(race.length_m),
    list: runners === 0 ? undefined : t('race.runners', { count: runners, figure: format.count(runners) }),
    phones: codes === 0 ? undefined : t('steps.phones.codes', { count: codes, figure: format.count(codes) }),
    share: isShared ? t('steps.share.result') : undefined,
  }
}

type StepProps = {
  name: StepName
  number: number
  result: string | undefined
  /** True for the first step that is still to be taken. */
  isNext: boolean
  children(variant: 'filled' | 'default', label: string): React.ReactNode
}

function Step({ name, number, result, isNext, children }: StepProps) {
  const { t } = useTranslation()
  return (
    <li data-done={result !== undefined || undefined}>
      <span className="first-step-mark" aria-hidden>
        {result === undefined ? number : <Check size={18} />}
      </span>
      <div className="first-step-text">
        <Group gap="xs">
          <Text fw={600} component="h3" fz="md">
            {t(`steps.${name}.title`)}
          </Text>
          {result !== undefined && (
            <Badge variant="light" color="teal" tt="none" c="var(--mantine-color-text)">
              {t('steps.isDone')} · {result}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" maw={560}>
          {t(`steps.${name}.help`)}
        </Text>
      </div>
      {children(
        isNext ? 'filled' : 'default',
        t(result === undefined ? `steps.${name}.action` : `steps.${name}.again`),
      )}
    </li>
  )
}
