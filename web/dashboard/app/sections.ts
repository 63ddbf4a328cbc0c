import type { QueryKey } from '@tanstack/react-query'
import { type AsyncRouteComponent, lazyRouteComponent as lazy } from '@tanstack/react-router'
import {
  CalendarDays,
  Eraser,
  LibraryBig,
  type LucideIcon,
  Map as MapIcon,
  ScrollText,
  Timer,
  Users,
} from 'lucide-react'
import { paths } from '../components/paths.ts'
import { getMapSettingsOptions, listJobsOptions, listOperatorsOptions } from '../generated/@tanstack/react-query.gen.ts'
import type { Key } from '../i18n/en.ts'

/** A section as the navigation and the router know it. */
type SectionPlan = {
  to: string
  key: Key
  icon: LucideIcon
  /** Other addresses that belong to the section. */
  also?: string
  /** The service that the section needs. */
  service?: 'tracks' | 'publications'
  /** True for a section that owners alone have. */
  isForOwners?: boolean
  /** The page of a section that is a single page, loaded when it is first shown. Others have routes of their own. */
  page?: AsyncRouteComponent<object>
  /** The request that starts while the code of the page is on the way. */
  asks?(): { queryKey: QueryKey }
}

const SECTIONS = [
  { to: paths.events, key: 'nav.events', icon: CalendarDays, also: '/tracks', service: 'tracks' },
  { to: paths.workspaces, key: 'nav.workspaces', icon: LibraryBig, also: '/publications', service: 'publications' },
  {
    to: '/operators',
    key: 'nav.operators',
    icon: Users,
    isForOwners: true,
    page: lazy(() => import('../administration/operators-page.tsx'), 'OperatorsPage'),
    asks: listOperatorsOptions,
  },
  { to: paths.auditLog, key: 'nav.audit', icon: ScrollText, isForOwners: true },
  {
    to: '/jobs',
    key: 'nav.jobs',
    icon: Timer,
    isForOwners: true,
    page: lazy(() => import('../administration/jobs-page.tsx'), 'JobsPage'),
    asks: listJobsOptions,
  },
  {
    to: paths.mapSettings,
    key: 'nav.map',
    icon: MapIcon,
    service: 'tracks',
    isForOwners: true,
    page: lazy(() => import('../administration/map-settings-page.tsx'), 'MapSettingsPage'),
    asks: getMapSettingsOptions,
  },
  {
    to: paths.erasures,
    key: 'nav.personalData',
    icon: Eraser,
    also: '/settings',
    service: 'tracks',
    isForOwners: true,
  },
] as const satisfies readonly SectionPlan[]

/** A section of the dashboard in the navigation. */
export type Section = Omit<SectionPlan, 'to'> & { to: (typeof SECTIONS)[number]['to'] }

/** The sections that are single pages. */
export const sectionPages = SECTIONS.filter((section) => 'page' in section)

/** Returns the sections of the services that run, for owners or for others. The first one is the start page. */
export function sectionsOf(services: readonly string[], { isOwner }: { isOwner: boolean }): readonly Section[] {
  return (SECTIONS as readonly Section[]).filter(
    ({ service, isForOwners = false }) =>
      (service === undefined || services.includes(service)) && (isOwner || !isForOwners),
  )
}

/** Returns the section of an address; undefined for addresses outside all sections, such as the account. */
export function sectionAt(pathname: string, sections: readonly Section[] = SECTIONS): Section | undefined {
  const isWithin = (start: string) => pathname === start || pathname.startsWith(`${start}/`)
  return sections.find(({ to, also }) => isWithin(to) || (also !== undefined && isWithin(also)))
}

/** Checks whether the service behind an address runs here. */
export function isServed(pathname: string, services: readonly string[]): boolean {
  const service = sectionAt(pathname)?.service
  return service === undefined || services.includes(service)
}
