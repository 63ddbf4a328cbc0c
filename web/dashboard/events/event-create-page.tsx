import { Paper } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { ResourceForm } from '../components/forms.tsx'
import { ButtonLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import { operatorListEventsQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateEvent } from '../generated/sdk.gen.ts'
import { EMPTY_EVENT, EventFieldInputs, type EventFields, eventOfFields, eventRules } from './event-fields.tsx'

/** Creates an event, and leads on to its first steps. */
export function EventCreatePage() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm<EventFields>({
    mode: 'uncontrolled',
    // An organiser is mostly where the event is, and the server anywhere.
    initialValues: { ...EMPTY_EVENT, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
    validate: eventRules(t),
  })
  const navigate = useNavigate()
  return (
    <>
      <PageTitle title={t('events.new')} />
      <Paper withBorder p="lg" maw={640} bg="var(--panel-background)">
        <ResourceForm
          form={form}
          save={(fields) => operatorCreateEvent({ body: eventOfFields(fields) })}
          onSaved={async ({ id }) => {
            await client.invalidateQueries({ queryKey: operatorListEventsQueryKey() })
            await navigate({ to: paths.event, params: { eventId: id }, ignoreBlocker: true })
          }}
          submitLabel={t('event.create')}
          cancel={
            <ButtonLink variant="default" to={paths.events} ignoreBlocker>
              {t('action.cancel')}
            </ButtonLink>
          }
        >
          <EventFieldInputs form={form} />
        </ResourceForm>
      </Paper>
    </>
  )
}
