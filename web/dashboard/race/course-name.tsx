import { Button, Group, Text, TextInput, Title, VisuallyHidden } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { raceAnswers } from '../api/query-client.ts'
import { Failure, notify } from '../components/feedback.tsx'
import { operatorUpdateRace } from '../generated/sdk.gen.ts'
import type { Course } from '../generated/types.gen.ts'

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
  const client = useQueryClient()
  const [name, setName] = useState(course.name ?? '')
  const saving = useMutation({
    mutationFn: () => operatorUpdateRace({ path: { id: eventId }, body: { course_name: name.trim() } }),
    onSuccess: async () => {
      await client.invalidateQueries(raceAnswers(eventId))
      notify(t('action.saved'))
      onAsk(false)
    },
  })
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
