import { Breadcrumbs, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { History, KeyRound, List, Map as MapIcon, Settings, Share2, Smartphone, Trophy, Webhook } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { NotAllowed } from '../../access/not-allowed.tsx'
import { useRights } from '../../access/rights.tsx'
import { eventQuery, type OperatorEvent } from '../../api/events.ts'
import { EventDays } from '../../events/event-days.tsx'
import { LoadedPage } from '../../feedback/loaded-page.tsx'
import { TimeZone } from '../../i18n/time-zone.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths, routeIds } from '../../navigation/paths.ts'
import { isForEditors, type Tab, TabLinks, useCurrentTab } from '../../navigation/tab-links.tsx'

const TABS = [
  { to: paths.event, key: 'event.map', icon: MapIcon },
  { to: paths.eventRace, key: 'event.race', icon: Trophy, hasPagesBelow: true },
  { to: paths.eventReplay, key: 'event.replay', icon: History },
  { to: paths.eventTracks, key: 'event.tracks', icon: List },
  { to: paths.eventTokens, key: 'event.tokens', icon: KeyRound, hasPagesBelow: true, isForEditors: true },
  { to: paths.eventPhones, key: 'event.phones', icon: Smartphone, isForEditors: true },
  { to: paths.eventSharing, key: 'event.sharing', icon: Share2, isForEditors: true },
  { to: paths.eventWebhooks, key: 'event.webhooks', icon: Webhook, isForEditors: true },
  { to: paths.eventSettings, key: 'event.settings', icon: Settings, isForEditors: true },
] as const satisfies readonly Tab[]

/** The frame of an event's pages: its name and the tabs. */
export function EventLayout() {
  const { eventId } = useParams({ from: routeIds.event })
  const event = useQuery(eventQuery(eventId))
  return <LoadedPage query={event}>{(found) => <EventFrame event={found} />}</LoadedPage>
}

function EventFrame({ event }: { event: OperatorEvent }) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const tab = useCurrentTab(TABS)
  return (
    <TimeZone value={event.effective_time_zone}>
      <Stack gap={4}>
        <Breadcrumbs>
          <AnchorLink to={paths.events} size="sm" activeOptions={{ exact: true }}>
            {t('nav.events')}
          </AnchorLink>
        </Breadcrumbs>
        <PageTitle title={event.name} windowTitle={`${t(tab.key)} · ${event.name}`} />
        <Text c="dimmed" size="sm">
          <EventDays event={event} /> · {t('event.timesIn', { zone: event.effective_time_zone })}
        </Text>
      </Stack>
      <TabLinks
        label={t('event.parts')}
        tabs={TABS.filter((one) => canEdit || !isForEditors(one))}
        params={{ eventId: event.id }}
      />
      {canEdit || !isForEditors(tab) ? <Outlet /> : <NotAllowed />}
    </TimeZone>
  )
}
