import { Breadcrumbs, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { KeyRound, List, Map as MapIcon, Settings, Share2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { eventQuery, type OperatorEvent } from '../../api/events.ts'
import { EventDays } from '../../events/event-days.tsx'
import { LoadedPage } from '../../feedback/loaded-page.tsx'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { TabLinks } from '../../navigation/tab-links.tsx'

const PARTS = [
  { to: paths.event, end: '', key: 'event.map', icon: MapIcon },
  { to: paths.eventTracks, end: 'tracks', key: 'event.tracks', icon: List },
  { to: paths.eventTokens, end: 'tokens', key: 'event.tokens', icon: KeyRound },
  { to: paths.eventSharing, end: 'sharing', key: 'event.sharing', icon: Share2 },
  { to: paths.eventSettings, end: 'settings', key: 'event.settings', icon: Settings },
] as const

/** The frame of an event's pages: its name and the way between them. */
export function EventLayout() {
  const { eventId } = useParams({ from: '/signed-in/events/$eventId' })
  const event = useQuery(eventQuery(eventId))
  return <LoadedPage query={event}>{(found) => <EventFrame event={found} />}</LoadedPage>
}

function EventFrame({ event }: { event: OperatorEvent }) {
  const { t } = useTranslation()
  const end = useLocation().pathname.split('/')[3] ?? ''
  const part = PARTS.find((known) => known.end === end) ?? PARTS[0]
  return (
    <>
      <Stack gap={4}>
        <Breadcrumbs>
          <AnchorLink to={paths.events} size="sm">
            {t('nav.events')}
          </AnchorLink>
        </Breadcrumbs>
        <PageTitle title={event.name} windowTitle={`${t(part.key)} · ${event.name}`} />
        <Text c="dimmed" size="sm">
          <EventDays event={event} />
        </Text>
      </Stack>
      <TabLinks
        label={t('event.parts')}
        parts={PARTS.map(({ to, key, icon }) => ({ to, params: { eventId: event.id }, label: t(key), icon }))}
      />
      <Outlet />
    </>
  )
}
