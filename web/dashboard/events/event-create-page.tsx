import { Group, Paper, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { ResourceForm } from '../components/forms.tsx'
import { ButtonLink } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import { ShownHandover } from '../credentials/handover.tsx'
import { operatorListEventsQueryKey } from '../generated/@tanstack/react-query.gen.ts'
import { operatorCreateEvent } from '../generated/sdk.gen.ts'
import type { OperatorCreateEventResponse } from '../generated/types.gen.ts'
import { EMPTY_EVENT, EventFieldInputs, type EventFields, eventOfFields, eventRules } from './event-fields.tsx'

/** Creates an event, and then shows its token in place of the form. */
export function EventCreatePage() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm<EventFields>({
    mode: 'uncontrolled',
    initialValues: EMPTY_EVENT,
    validate: eventRules(t),
  })
  const [created, setCreated] = useState<OperatorCreateEventResponse>()
  if (created !== undefined) return <EventCreated event={created} />
  return (
    <>
      <PageTitle title={t('events.new')} />
      <Paper withBorder p="lg" maw={640} bg="var(--panel-background)">
        <ResourceForm
          form={form}
          save={(fields) => operatorCreateEvent({ body: eventOfFields(fields) })}
          onSaved={(event) => {
            setCreated(event)
            return client.invalidateQueries({ queryKey: operatorListEventsQueryKey() })
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

/** The next steps after an event has been created. */
function EventCreated({ event }: { event: OperatorCreateEventResponse }) {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle title={t('event.created', { name: event.name })} />
      <Text>{t('event.createdHelp')}</Text>
      <Group>
        <ButtonLink to={paths.event} params={{ eventId: event.id }}>
          {t('event.toMap')}
        </ButtonLink>
        <ButtonLink variant="default" to={paths.eventPhones} params={{ eventId: event.id }}>
          {t('first.toPhones')}
        </ButtonLink>
      </Group>
      <ShownHandover shown={event.token} />
    </>
  )
}
