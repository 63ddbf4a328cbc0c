import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRights } from '../../access/rights.tsx'
import { queryKeys } from '../../api/query-keys.ts'
import { type Course, checkpointsQuery, courseQuery, deleteCourse, type Race, raceQuery } from '../../api/races.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { useFormat } from '../../i18n/format.ts'
import { routeIds } from '../../navigation/paths.ts'
import { CheckpointEditor } from './checkpoint-editor.tsx'
import { CheckpointsShown } from './checkpoints-shown.tsx'
import { CourseEmpty } from './course-empty.tsx'
import { CourseRemove } from './course-remove.tsx'
import { CourseUpload } from './course-upload.tsx'
import { RaceStart } from './race-start.tsx'

/** The course of an event with its checkpoints and the start of the race. */
export function CoursePage() {
  const { eventId } = useParams({ from: routeIds.event })
  const course = useQuery(courseQuery(eventId))
  return (
    <Loaded query={course}>
      {(found) => (found === null ? <CourseEmpty eventId={eventId} /> : <CourseSet eventId={eventId} course={found} />)}
    </Loaded>
  )
}

function CourseSet({ eventId, course }: { eventId: string; course: Course }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { canEdit } = useRights()
  const client = useQueryClient()
  const checkpoints = useQuery(checkpointsQuery(eventId))
  const race = useQuery(raceQuery(eventId))
  const removing = useMutation({
    mutationFn: () => deleteCourse(eventId),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.race(eventId) }),
  })
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2}>{course.name ?? t('race.course')}</Title>
          <Text c="dimmed" className="figures">
            {[
              format.distance(course.length_m),
              ...(course.climb_m === null ? [] : [t('race.climb', { climb: format.meters(course.climb_m) })]),
            ].join(' · ')}
          </Text>
        </div>
        {canEdit && (
          <Group gap="xs">
            <CourseUpload eventId={eventId} isReplacement />
            <CourseRemove onRemove={() => removing.mutate()} removing={removing} />
          </Group>
        )}
      </Group>
      <Loaded query={checkpoints}>
        {(stored) =>
          canEdit ? (
            // A new course begins a new edit.
            <CheckpointEditor
              key={JSON.stringify([course.name, course.length_m])}
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
              <RaceStart key={found.race_starts_at} eventId={eventId} race={found} />
            ) : (
              <StartShown race={found} />
            )
          }
        </Loaded>
      </Paper>
    </Stack>
  )
}

function StartShown({ race: { race_starts_at } }: { race: Race }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Text size="sm">
      {race_starts_at === null ? t('race.startOwn') : t('race.startsAt', { time: format.dateTime(race_starts_at) })}
    </Text>
  )
}
