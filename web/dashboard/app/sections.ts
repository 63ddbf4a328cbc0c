import type { QueryKey } from '@tanstack/react-query'
import { type AsyncRouteComponent, lazyRouteComponent as lazy } from '@tanstack/react-router'
import {
  CalendarDays,
  Eraser,
  LibraryBig,
  type LucideIcon,
  Map as MapIcon,
  ScrollText,
  SlidersHorizontal,
  Timer,
  Users,
} from 'lucide-react'
import { paths } from '../components/paths.ts'
import { getMapSettingsOptions, listJobsOptions, listOperatorsOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { Key } from '../i18n/en.ts'

/** A page of the administration, as its tabs and the router know it. */
type AdministrationPage = {
  to: string
  key: Key
  icon: LucideIcon
  /** The service that the page needs. */
  service?: 'tracks' | 'publications'
  /** True for a page with pages below it, which have the same tab. */
  hasPagesBelow?: boolean
  /** The page, loaded when it is first shown. Others have routes of their own. */
  page?: AsyncRouteComponent<object>
  /** The request that starts while the code of the page is on the way. */
  asks?(): { queryKey: QueryKey }
}

const ADMINISTRATION_PAGES = [
  {
    to: paths.mapSettings,
    key: 'nav.map',
    icon: MapIcon,
    service: 'tracks',
    page: lazy(() => import('../administration/map-settings-page.tsx'), 'MapSettingsPage'),
    asks: getMapSettingsOptions,
  },
  { to: paths.erasures, key: 'nav.personalData', icon: Eraser, service: 'tracks', hasPagesBelow: true },
  {
    to: '/operators',
    key: 'nav.operators',
    icon: Users,
    page: lazy(() => import('../administration/operators-page.tsx'), 'OperatorsPage'),
    asks: listOperatorsOptions,
  },
  { to: paths.auditLog, key: 'nav.audit', icon: ScrollText },
  {
    to: '/jobs',
    key: 'nav.jobs',
    icon: Timer,
    page: lazy(() => import('../administration/jobs-page.tsx'), 'JobsPage'),
    asks: listJobsOptions,
  },
] as const satisfies readonly AdministrationPage[]

type AdministrationAddress = (typeof ADMINISTRATION_PAGES)[number]['to']

/** A section of the dashboard in the navigation. */
export type Section = {
  to: typeof paths.events | typeof paths.workspaces | AdministrationAddress
  key: Key
  icon: LucideIcon
  /** All addresses that belong to the section, each with those below it. */
  addresses: readonly string[]
  /** The service that the section needs. */
  service?: 'tracks' | 'publications'
  /** True for a section that owners alone have. */
  isForOwners?: boolean
}

const EVENTS: Section = {
  to: paths.events,
  key: 'nav.events',
  icon: CalendarDays,
  addresses: [paths.events, '/tracks'],
  service: 'tracks',
}
const WORKSPACES: Section = {
  to: paths.workspaces,
  key: 'nav.workspaces',
  icon: LibraryBig,
  addresses: [paths.workspaces, '/publications'],
  service: 'publications',
}
const ADMINISTRATION: Section = {
  to: '/operators',
  key: 'nav.administration',
  icon: SlidersHorizontal,
  addresses: ADMINISTRATION_PAGES.map(({ to }) => to),
  isForOwners: true,
}

/** The pages of the administration that are single pages. */
export const singlePages = ADMINISTRATION_PAGES.filter((one) => 'page' in one)

/** Returns the pages of the administration for the services that run. */
export function administrationPages(services: readonly string[]) {
  return ADMINISTRATION_PAGES.filter((one) => !('service' in one) || services.includes(one.service))
}

/**
 * Returns the sections of the services that run, for owners or for others. The first one is the start page: that of
 * workspaces for operators who see no events. The administration begins with its first page.
 */
export function sectionsOf(
  services: readonly string[],
  { isOwner, isPublisher }: { isOwner: boolean; isPublisher: boolean },
): readonly Section[] {
  const [{ to }] = administrationPages(services)
  const contents = isPublisher ? [WORKSPACES, EVENTS] : [EVENTS, WORKSPACES]
  return [...contents, { ...ADMINISTRATION, to }].filter(
    ({ service, isForOwners = false }) =>
      (service === undefined || services.includes(service)) && (isOwner || !isForOwners),
  )
}

const isWithin = (pathname: string, start: string) => pathname === start || pathname.startsWith(`${start}/`)

/** Returns the section of an address; undefined for addresses outside all sections, such as the account. */
export function sectionAt(pathname: string): Section | undefined {
  return [EVENTS, WORKSPACES, ADMINISTRATION].find(({ addresses }) =>
    addresses.some((start) => isWithin(pathname, start)),
  )
}

/** Checks whether the service behind an address runs here. */
export function isServed(pathname: string, services: readonly string[]): boolean {
  const page = (ADMINISTRATION_PAGES as readonly AdministrationPage[]).find(({ to }) => isWithin(pathname, to))
  const { service } = page ?? sectionAt(pathname) ?? {}
  return service === undefined || services.includes(service)
}
