import { Button, Group, NumberInput, Radio, Stack, Text, TextInput, Title, VisuallyHidden } from '@mantine/core'
import { Pencil } from 'lucide-react'
import { type FormEvent, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { raceAnswers } from '../api/query-client.ts'
import { Failure, useAction } from '../components/feedback.tsx'
import { limitOf, UnsavedChanges } from '../components/forms.tsx'
import { operatorUpdateRace } from '../generated/sdk.gen.ts'
import type { Course, Race, RaceUpdate } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { knownZone, momentOf, TimeZone, wallTimeOf } from '../i18n/time-zone.ts'

/** The start of the race: common to all at a time, or for each on crossing the start line. */
export function RaceStart({ eventId, race }: { eventId: string; race: Race }) {
  const { t } = useTranslation()
  const format = useFormat()
  const zone = knownZone(useContext(TimeZone))
  const { race_starts_at, time_basis } = race
  const [isCommon, setCommon] = useState(race_starts_at !== null)
  const stored = race_starts_at === null ? '' : wallTimeOf(Date.parse(race_starts_at), zone)
  const [time, setTime] = useState(stored)
  const [basis, setBasis] = useState(time_basis)
  const [isTried, setTried] = useState(false)
  const atMs = momentOf(time, zone)
  const isMissing = isCommon && Number.isNaN(atMs)
  const isChanged = () =>
    isCommon !== (race_starts_at !== null) || (isCommon && (atMs !== momentOf(stored, zone) || basis !== time_basis))
  const saving = useRaceUpdate(eventId, () =>
    isCommon ? { race_starts_at: new Date(atMs).toISOString(), time_basis: basis } : { race_starts_at: null },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isMissing) saving.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedChanges isChanged={isChanged} />
      <Stack gap="xs">
        <Title order={3} size="h4">
          {t('race.start')}
        </Title>
        <Radio.Group
          aria-label={t('race.start')}
          value={isCommon ? 'common' : 'own'}
          onChange={(value) => setCommon(value === 'common')}
        >
          <Stack gap={6}>
            <Radio value="common" label={t('race.startCommon')} description={t('race.startCommonHelp')} />
            <Radio value="own" label={t('race.startOwn')} description={t('race.startOwnHelp')} />
          </Stack>
        </Radio.Group>
        {isCommon && (
          <TextInput
            type="datetime-local"
            step={1}
            w={280}
            label={t('race.startTime')}
            description={t('event.timesIn', { zone: zone ?? format.zoneName(Date.now()) })}
            error={isTried && isMissing && t('race.startTimeMissing')}
            value={time}
            onChange={({ currentTarget }) => setTime(currentTarget.value)}
          />
        )}
        {isCommon && (
          <Radio.Group
            label={t('race.basis')}
            value={basis}
            onChange={(value) => setBasis(value === 'net' ? 'net' : 'gun')}
          >
            <Stack gap={6} mt={4}>
              <Radio value="gun" label={t('race.basis.gun')} />
              <Radio value="net" label={t('race.basis.net')} description={t('race.basis.netHelp')} />
            </Stack>
          </Radio.Group>
        )}
        {saving.isError && <Failure error={saving.error} />}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {t('action.save')}
          </Button>
          {race_starts_at !== null && (
            <Text size="sm" c="dimmed">
              {t('race.startsAt', { time: format.dateTime(race_starts_at) })}
            </Text>
          )}
        </Group>
      </Stack>
    </form>
  )
}

/** The climb of the course as its organiser states it, beside the estimated one. */
export function CourseClimb({ eventId, race }: { eventId: string; race: Race }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { stated_climb_m, estimated_climb_m } = race
  const [meters, setMeters] = useState<string | number>(stated_climb_m ?? '')
  const saving = useRaceUpdate(eventId, () => ({ stated_climb_m: limitOf(meters) }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="xs">
        <Title order={3} size="h4">
          {t('race.climbTitle')}
        </Title>
        <NumberInput
          w={280}
          label={t('race.climbStated')}
          description={
            estimated_climb_m === null
              ? t('race.climbUnknown')
              : t('race.climbEstimated', { climb: format.meters(estimated_climb_m) })
          }
          min={0}
          max={100_000}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=" "
          hideControls
          suffix=" m"
          value={meters}
          onChange={setMeters}
        />
        {saving.isError && <Failure error={saving.error} />}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {t('race.climbSave')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type CourseNameProps = {
  eventId: string
  course: Course
  /** True while the name is being asked for: at the request of an operator, and after each upload. */
  isAsked: boolean
  onAsk(isAsked: boolean): void
}

/** The name of the course as a heading. Recordings bear bibs and dates, so it can be changed, and is asked for. */
export function CourseName({ eventId, course, isAsked, onAsk }: CourseNameProps) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const [wasAsked, setWasAsked] = useState(isAsked)
  if (isAsked && !wasAsked) setWasAsked(true)
  if (isAsked && canEdit) return <NameForm key={course.name} {...{ eventId, course, onAsk }} />
  return (
    <Group gap="xs">
      <Title order={2}>{course.name ?? t('race.course')}</Title>
      {canEdit && (
        <Button
          variant="subtle"
          size="compact-sm"
          autoFocus={wasAsked}
          leftSection={<Pencil size={14} aria-hidden />}
          onClick={() => onAsk(true)}
        >
          {t('race.renameCourse')}
        </Button>
      )}
    </Group>
  )
}

function NameForm({ eventId, course, onAsk }: Omit<CourseNameProps, 'isAsked'>) {
  const { t } = useTranslation()
  const [name, setName] = useState(course.name ?? '')
  const saving = useRaceUpdate(
    eventId,
    () => ({ course_name: name.trim() }),
    () => onAsk(false),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') saving.mutate()
  }
  return (
    <form
      onSubmit={submit}
      onKeyDown={({ key }) => key === 'Escape' && onAsk(false)}
      aria-label={t('race.renameCourse')}
      noValidate
    >
      <VisuallyHidden component="h2">{course.name ?? t('race.course')}</VisuallyHidden>
      <Group gap="xs" align="flex-end" mb={4}>
        <TextInput
          label={t('race.courseName')}
          w={320}
          maw="100%"
          maxLength={200}
          autoFocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button type="submit" loading={saving.isPending} disabled={name.trim() === ''}>
          {t('race.courseNameSave')}
        </Button>
        <Button variant="default" onClick={() => onAsk(false)}>
          {t('action.cancel')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {t('race.courseNameHelp')}
      </Text>
      {saving.isError && <Failure error={saving.error} />}
    </form>
  )
}

/** Stores details of a race, and shows them everywhere. */
function useRaceUpdate(eventId: string, details: () => RaceUpdate, onDone?: () => void) {
  const { t } = useTranslation()
  return useAction({
    action: () => operatorUpdateRace({ path: { id: eventId }, body: details() }),
    doneMessage: t('action.saved'),
    changes: [raceAnswers(eventId)],
    onDone,
  })
}
