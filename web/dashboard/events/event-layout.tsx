import { Breadcrumbs, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { History, KeyRound, List, Map as MapIcon, Settings, Share2, Smartphone, Trophy, Webhook } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { NotAllowed, useRights } from '../access/rights.tsx'
import { AnchorLink, isForEditors, type Tab, TabLinks, useCurrentTab } from '../components/links.tsx'
import { LoadedPage } from '../components/page-states.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { operatorGetEventOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { OperatorEvent } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { TimeZone } from '../i18n/time-zone.ts'

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
  const event = useQuery(operatorGetEventOptions({ path: { id: eventId } }))
  return <LoadedPage query={event}>{(found) => <EventFrame event={found} />}</LoadedPage>
}

function EventFrame({ event }: { event: OperatorEvent }) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const tab = useCurrentTab(TABS)
  return (
    <TimeZone value={event.effective_time_zone}>
      <Stack gap={4} className="event-heading">
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

/** The days of an event. Open ends are spelled out. */
export function EventDays({ event }: { event: OperatorEvent }) {
  const { t } = useTranslation()
  // A calendar date has no time zone: it is the same day in all of them.
  const format = useFormat('UTC')
  const day = (date: string) => format.date(`${date}T12:00:00Z`)
  const { starts_on: first, ends_on: last } = event
  if (first === null && last === null) return t('events.noDays')
  if (first === null) return t('events.until', { last: day(last!) })
  if (last === null) return t('events.from', { first: day(first) })
  return first === last ? day(first) : `${day(first)} – ${day(last)}`
}
