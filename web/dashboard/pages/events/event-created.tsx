import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import type { CreatedEvent } from '../../api/events.ts'
import { TokenHandover } from '../../events/token-handover.tsx'
import { ButtonLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'

/** The next steps after an event has been created. */
export function EventCreated({ event }: { event: CreatedEvent }) {
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
      <TokenHandover token={event.token} />
    </>
  )
}
