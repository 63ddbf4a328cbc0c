import { Paper } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { createEvent } from '../../api/events.ts'
import { queryKeys } from '../../api/query-keys.ts'
import {
  EMPTY_EVENT,
  EventFieldInputs,
  type EventFields,
  eventOfFields,
  eventRules,
} from '../../events/event-fields.tsx'
import { SubmitForm } from '../../forms/submit-form.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { EventCreated } from './event-created.tsx'

/** Creates an event, and then shows its token in place of the form. */
export function EventCreatePage() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm<EventFields>({
    mode: 'uncontrolled',
    initialValues: EMPTY_EVENT,
    validate: eventRules(t),
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
        <SubmitForm
          onSubmit={form.onSubmit((fields) => creating.mutate(fields))}
          submitting={creating}
          submitLabel={t('event.create')}
          cancel={
            <ButtonLink variant="default" to={paths.events}>
              {t('action.cancel')}
            </ButtonLink>
          }
        >
          <EventFieldInputs form={form} />
        </SubmitForm>
      </Paper>
    </>
  )
}
