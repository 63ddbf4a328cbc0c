import { Button, Group, Paper, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { createEvent } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { EMPTY_EVENT, EventFieldInputs, type EventFields, eventOfFields } from '../../events/event-fields.tsx'
import { Failure } from '../../feedback/failure.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { EventCreated } from './event-created.tsx'

/** A new event; what its app needs appears in the place of the form. */
export function EventCreatePage() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm<EventFields>({
    mode: 'uncontrolled',
    initialValues: EMPTY_EVENT,
    validate: {
      name: (name) => (name.trim() === '' ? t('event.nameMissing') : null),
      endsOn: (last, { startsOn }) => (last !== '' && last < startsOn ? t('event.endsBefore') : null),
    },
  })
  const creating = useMutation({
    mutationFn: (fields: EventFields) => createEvent(eventOfFields(fields)),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.events }),
  })
  if (creating.data !== undefined) return <EventCreated event={creating.data} />
  return (
    <>
      <PageTitle title={t('events.new')} />
      <Paper withBorder p="lg" maw={640} bg="var(--panel-background)">
        <form onSubmit={form.onSubmit((fields) => creating.mutate(fields))} noValidate>
          <Stack>
            <EventFieldInputs form={form} />
            {creating.isError && <Failure error={creating.error} />}
            <Group justify="flex-end">
              <ButtonLink variant="default" to={paths.events}>
                {t('action.cancel')}
              </ButtonLink>
              <Button type="submit" loading={creating.isPending}>
                {t('event.create')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </>
  )
}
