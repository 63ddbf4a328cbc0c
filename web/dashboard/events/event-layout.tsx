import { Breadcrumbs, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useMatchRoute, useParams, useRouterState } from '@tanstack/react-router'
import {
  Code,
  History,
  List,
  type LucideIcon,
  Map as MapIcon,
  Radio,
  Route,
  Settings,
  Share2,
  SlidersHorizontal,
  Smartphone,
  Trophy,
  Users,
} from 'lucide-react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { PageTitle, useFocusAfter } from '../../ui/titles.tsx'
import { NotAllowed, useRights } from '../access/rights.tsx'
import { useHeaderPlace } from '../components/full-window.ts'
import { AnchorLink, isForEditors, type Tab, TabLinks } from '../components/links.tsx'
import { LoadedPage } from '../components/page-frames.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { operatorGetEventOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { OperatorEvent } from '../generated/types.gen.ts'
import type { Key } from '../i18n/en.ts'
import { useFormat } from '../i18n/format.ts'
import { TimeZone } from '../i18n/time-zone.ts'
import { RemainingSteps } from './first-steps.tsx'
import { RehearsalBanner } from './rehearsal.tsx'
import './event-layout.css'

/** The frame of an event's pages: its name, its four places, and the controls beside them. */
export function EventLayout() {
  const { eventId } = useParams({ from: routeIds.event })
  const event = useQuery(operatorGetEventOptions({ path: { id: eventId } }))
  return <LoadedPage query={event}>{(found) => <EventFrame event={found} />}</LoadedPage>
}

function EventFrame({ event }: { event: OperatorEvent }) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const { place, page } = useCurrentPage()
  // Until the page of the address is there, the former one still has the focus.
  useFocusAfter(useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? '' }))
  const pages = place.pages.filter((one) => one.isHidden !== true && (canEdit || !isForEditors(one)))
  // The live map and its replay have the choice between them in a line of their own, which costs them less height.
  const hasPages = pages.length > 1 && place !== PLACES[0]
  return (
    <TimeZone value={event.effective_time_zone}>
      <EventHeading event={event} place={place} page={page} />
      {event.rehearsal_of !== null && <RehearsalBanner rehearsedId={event.rehearsal_of} />}
      {hasPages && <TabLinks label={t(place.key)} tabs={pages} params={{ eventId: event.id }} isSecondary />}
      {canEdit || !isForEditors(page) ? <Outlet /> : <NotAllowed />}
    </TimeZone>
  )
}

type EventHeadingProps = { event: OperatorEvent; place: Place; page: Tab }

/** The name of an event and its places: above the page, or in the header where the page fills the window. */
function EventHeading({ event, place, page }: EventHeadingProps) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const header = useHeaderPlace()
  const heading = (
    <div className="event-heading">
      <Stack gap={0} className="event-name" title={event.name}>
        <Group gap="xs" wrap="nowrap" className="event-days">
          <Breadcrumbs separatorMargin={4}>
            <AnchorLink to={paths.events} size="sm" activeOptions={{ exact: true }}>
              {t('nav.events')}
            </AnchorLink>
          </Breadcrumbs>
          <Text c="dimmed" size="sm">
            <EventDays event={event} />
            <span className="event-zone"> · {t('event.timesIn', { zone: event.effective_time_zone })}</span>
          </Text>
          {/* The page of the live map has the steps themselves, and with the first track the button. */}
          {place !== PLACES[0] && event.tracks_count === 0 && <RemainingSteps eventId={event.id} />}
        </Group>
        <PageTitle title={event.name} windowTitle={`${t(page.key)} · ${event.name}`} size="h3" />
      </Stack>
      <nav className="event-places" aria-label={t('event.parts')}>
        <ul>
          {PLACES.map((one) => (
            <PlaceLink key={one.key} place={one} isCurrent={one === place} eventId={event.id} />
          ))}
        </ul>
      </nav>
      {canEdit && (
        <nav className="event-beside" aria-label={t('event.beside')}>
          <ul>
            {BESIDE_PLACES.map((one) => (
              <PlaceLink key={one.key} place={one} isCurrent={one === place} eventId={event.id} />
            ))}
          </ul>
        </nav>
      )}
    </div>
  )
  if (header === undefined) return heading
  return header && createPortal(heading, header)
}

/** Returns the place and the page of the address. */
function useCurrentPage() {
  const matchRoute = useMatchRoute()
  const all = [...PLACES, ...BESIDE_PLACES].flatMap((place) => place.pages.map((page) => ({ place, page })))
  return all.find(({ page: { to } }) => matchRoute({ to })) ?? all[0]
}

type PlaceLinkProps = { place: Place; isCurrent: boolean; eventId: string }

function PlaceLink({ place: { key, icon: Icon, pages }, isCurrent, eventId }: PlaceLinkProps) {
  const { t } = useTranslation()
  return (
    <li>
      <Link
        to={pages[0].to}
        params={{ eventId }}
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={isCurrent ? 'true' : undefined}
        title={t(key)}
      >
        <Icon size={18} aria-hidden />
        <span>{t(key)}</span>
      </Link>
    </li>
  )
}

/** The choice between the live map of an event and its replay. */
export function LiveOrReplay({ eventId }: { eventId: string }) {
  const { t } = useTranslation()
  return <TabLinks label={t(PLACES[0].key)} tabs={PLACES[0].pages} params={{ eventId }} isSecondary />
}

/** The days of an event. Open ends are spelled out. */
export function EventDays({ event }: { event: OperatorEvent }) {
  const { t } = useTranslation()
  // A calendar date has no time zone: it is the same day in all of them.
  const format = useFormat('UTC')
  const noon = (date: string) => `${date}T12:00:00Z`
  const { starts_on: first, ends_on: last } = event
  if (first === null && last === null) return t('events.noDays')
  if (first === null) return t('events.until', { last: format.date(noon(last!)) })
  if (last === null) return t('events.from', { first: format.date(noon(first)) })
  return format.days(noon(first), noon(last))
}

/** A page of a place. `isHidden` is true for one that only a button leads to. */
type PlacePage = Tab & { isHidden?: boolean }

/** One of the few places of an event, with its pages. The first page is where its link leads. */
type Place = { key: Key; icon: LucideIcon; pages: readonly PlacePage[] }

/** The four places of an event. */
const PLACES: readonly Place[] = [
  {
    key: 'event.live',
    icon: Radio,
    pages: [
      { to: paths.event, key: 'nav.map', icon: MapIcon },
      { to: paths.eventReplay, key: 'event.replay', icon: History },
    ],
  },
  {
    key: 'event.participants',
    icon: Users,
    pages: [
      { to: paths.eventParticipants, key: 'race.startList', icon: Users },
      { to: paths.eventPhones, key: 'event.phones', icon: Smartphone, isForEditors: true },
      { to: paths.eventCodeSheet, key: 'event.phones', icon: Smartphone, isForEditors: true, isHidden: true },
    ],
  },
  {
    key: 'event.courseAndResults',
    icon: Trophy,
    pages: [
      { to: paths.eventResults, key: 'race.results', icon: Trophy },
      { to: paths.eventCourse, key: 'race.course', icon: Route },
    ],
  },
  {
    key: 'event.tracks',
    icon: List,
    pages: [
      { to: paths.eventTracks, key: 'event.tracks', icon: List },
      { to: paths.eventComparison, key: 'comparison.title', icon: List, isHidden: true },
    ],
  },
]

/** The pages beside the places: who may watch, and how the event works. */
const BESIDE_PLACES: readonly Place[] = [
  {
    key: 'event.share',
    icon: Share2,
    pages: [{ to: paths.eventShare, key: 'event.share', icon: Share2, isForEditors: true }],
  },
  {
    key: 'event.settings',
    icon: Settings,
    pages: [
      { to: paths.eventSettings, key: 'event.general', icon: SlidersHorizontal, isForEditors: true },
      { to: paths.eventDevelopers, key: 'event.developers', icon: Code, isForEditors: true },
    ],
  },
]
