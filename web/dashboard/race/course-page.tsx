import { Button, FileButton, Group, List, Paper, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { FileUp, Route, Upload } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/titles.tsx'
import { useRights } from '../access/rights.tsx'
import { ApiError } from '../api/api-error.ts'
import { courseQuery } from '../api/queries.ts'
import { raceAnswers } from '../api/query-client.ts'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { Failure, FormAlert, Loaded, notify } from '../components/feedback.tsx'
import { routeIds } from '../components/paths.ts'
import { operatorGetRaceOptions, operatorListCheckpointsOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorDeleteCourse, operatorReplaceCourse } from '../generated/sdk.gen.ts'
import type { Course, Race } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { CheckpointEditor } from './checkpoint-editor.tsx'
import { CheckpointsShown } from './course-profile.tsx'
import { CourseClimb, CourseName, RaceStart } from './race-details.tsx'
import '@mantine/dropzone/styles.css'

/** The course of an event with its checkpoints and the start of the race. */
export function CoursePage() {
  const { eventId } = useParams({ from: routeIds.event })
  const course = useQuery(courseQuery(eventId))
  const [isNameAsked, askName] = useState(false)
  const uploaded = () => askName(true)
  return (
    <Loaded query={course}>
      {(found) =>
        found === null ? (
          <CourseEmpty eventId={eventId} onUploaded={uploaded} />
        ) : (
          <CourseSet eventId={eventId} course={found} onUploaded={uploaded}>
            <CourseName eventId={eventId} course={found} isAsked={isNameAsked} onAsk={askName} />
          </CourseSet>
        )
      }
    </Loaded>
  )
}

type CourseSetProps = { eventId: string; course: Course; onUploaded(): void; children: ReactNode }

/** A course, with its name as children. */
function CourseSet({ eventId, course, onUploaded, children }: CourseSetProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { canEdit } = useRights()
  const checkpoints = useQuery({
    ...operatorListCheckpointsOptions({ path: { id: eventId } }),
    select: ({ checkpoints }) => checkpoints,
  })
  const race = useQuery(operatorGetRaceOptions({ path: { id: eventId } }))
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <div>
          {children}
          <Text c="dimmed" className="figures">
            {[
              format.distance(course.length_m),
              ...(course.climb_m === null ? [] : [t('race.climb', { climb: format.meters(course.climb_m) })]),
            ].join(' · ')}
          </Text>
        </div>
        {canEdit && (
          <Group gap="xs">
            <CourseUpload eventId={eventId} onUploaded={onUploaded} isReplacement />
            <CourseRemove eventId={eventId} />
          </Group>
        )}
      </Group>
      <Loaded query={checkpoints}>
        {(stored) =>
          canEdit ? (
            // A new course begins a new edit.
            <CheckpointEditor
              key={JSON.stringify([course.length_m, course.line.latitude.length])}
              eventId={eventId}
              line={course.line}
              stored={stored}
            />
          ) : (
            <CheckpointsShown line={course.line} checkpoints={stored} />
          )
        }
      </Loaded>
      <Paper withBorder p="md" bg="var(--panel-background)">
        <Loaded query={race}>
          {(found) =>
            canEdit ? (
              <RaceStart key={`${found.race_starts_at} ${found.time_basis}`} eventId={eventId} race={found} />
            ) : (
              <StartShown race={found} />
            )
          }
        </Loaded>
      </Paper>
      {canEdit && (
        <Paper withBorder p="md" bg="var(--panel-background)">
          <Loaded query={race}>
            {(found) => <CourseClimb key={found.stated_climb_m} eventId={eventId} race={found} />}
          </Loaded>
        </Paper>
      )}
    </Stack>
  )
}

function StartShown({ race: { race_starts_at, time_basis } }: { race: Race }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Text size="sm">
      {race_starts_at === null
        ? t('race.startOwn')
        : `${t('race.startsAt', { time: format.dateTime(race_starts_at) })} · ${t(`race.timesFrom.${time_basis}`)}`}
    </Text>
  )
}

/** Replaces a missing course: the use of one, and the sources of a GPX file. */
function CourseEmpty({ eventId, onUploaded }: { eventId: string; onUploaded(): void }) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const help = (
    <Stack align="center">
      <CourseUpload eventId={eventId} onUploaded={onUploaded} />
      <div>
        <Text fw={600} size="sm" mt="sm" mb={4} ta="start">
          {t('race.whereGpx')}
        </Text>
        <List size="sm" ta="start" maw={460}>
          {(['race.gpxPlanner', 'race.gpxWatch', 'race.gpxTrack'] as const).map((key) => (
            <List.Item key={key}>{t(key)}</List.Item>
          ))}
        </List>
      </div>
    </Stack>
  )
  return (
    <EmptyState icon={Route} title={t('race.noCourse')} action={canEdit && help}>
      {t(canEdit ? 'race.noCourseHelp' : 'access.noCourse')}
    </EmptyState>
  )
}

type CourseUploadProps = { eventId: string; onUploaded(): void; isReplacement?: boolean }

/** Takes a GPX file as the course, by a button or dropped anywhere in the window. */
function CourseUpload({ eventId, onUploaded, isReplacement = false }: CourseUploadProps) {
  const { t, i18n } = useTranslation()
  const client = useQueryClient()
  const reset = useRef<() => void>(null)
  const uploading = useMutation({
    mutationFn: (file: File) =>
      operatorReplaceCourse({
        path: { id: eventId },
        body: file as never,
        // Start and finish are named in it.
        headers: { 'Accept-Language': i18n.language },
      }),
    onSuccess: async () => {
      await client.invalidateQueries(raceAnswers(eventId))
      notify(t('race.courseSet'))
      onUploaded()
    },
    onSettled: () => reset.current?.(),
  })
  const take = (file: File | null | undefined) => {
    if (file !== null && file !== undefined) uploading.mutate(file)
  }
  return (
    <Stack gap="xs" align={isReplacement ? 'flex-end' : 'center'}>
      <FileButton
        onChange={take}
        accept=".gpx,application/gpx+xml"
        resetRef={reset}
        inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
      >
        {(props) => (
          <Button
            {...props}
            loading={uploading.isPending}
            variant={isReplacement ? 'default' : 'filled'}
            leftSection={<Upload size={16} aria-hidden />}
          >
            {t(isReplacement ? 'race.replaceCourse' : 'race.chooseGpx')}
          </Button>
        )}
      </FileButton>
      <Dropzone.FullScreen
        active
        activateOnKeyboard={false}
        onDrop={([file]) => take(file)}
        loaderProps={{ 'aria-hidden': true }}
      >
        <Group justify="center" align="center" h="calc(100dvh - 80px)">
          <FileUp size={56} aria-hidden />
          {t('race.dropGpx')}
        </Group>
      </Dropzone.FullScreen>
      {uploading.isError && <UploadFailure error={uploading.error} />}
    </Stack>
  )
}

/** Says what is wrong with a file, in the words of the server: they name the point or the checkpoint. */
function UploadFailure({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const isFile = error instanceof ApiError && [400, 409, 422].includes(error.status)
  if (!isFile) return <Failure error={error} />
  const [first] = error.problem?.errors ?? []
  return <FormAlert>{t('race.courseRefused', { reason: first?.message ?? error.problem?.detail ?? '' })}</FormAlert>
}

/** Removes the course after a confirmation. */
function CourseRemove({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('race.removeCourse')}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        action={() => operatorDeleteCourse({ path: { id: eventId } })}
        onDone={() => client.invalidateQueries(raceAnswers(eventId))}
        title={t('race.removeCourseTitle')}
        confirmLabel={t('race.removeCourseNow')}
      >
        {t('race.removeCourseHelp')}
      </ConfirmDialog>
    </>
  )
}
