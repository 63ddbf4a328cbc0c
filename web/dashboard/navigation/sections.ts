import { CalendarDays, LibraryBig, type LucideIcon, ScrollText, Settings, Users } from 'lucide-react'
import type { Key } from '../i18n/en.ts'
import { paths } from './paths.ts'

/** A section of the dashboard in the navigation. */
export type Section = {
  to:
    | typeof paths.events
    | typeof paths.workspaces
    | typeof paths.operators
    | typeof paths.auditLog
    | typeof paths.mapSettings
  key: Key
  icon: LucideIcon
  /** Other addresses that belong to the section. */
  also?: string
  /** The service that the section needs. */
  service?: 'tracks' | 'publications'
  /** True for a section that owners alone have. */
  isForOwners?: boolean
}

const SECTIONS: readonly Section[] = [
  { to: paths.events, key: 'nav.events', icon: CalendarDays, also: '/tracks', service: 'tracks' },
  { to: paths.workspaces, key: 'nav.workspaces', icon: LibraryBig, also: '/publications', service: 'publications' },
  { to: paths.operators, key: 'nav.operators', icon: Users, isForOwners: true },
  { to: paths.auditLog, key: 'nav.audit', icon: ScrollText, isForOwners: true },
  {
    to: paths.mapSettings,
    key: 'nav.settings',
    icon: Settings,
    also: '/settings',
    service: 'tracks',
    isForOwners: true,
  },
]

/** Returns the sections of the services that run, for owners or for others. The first one is the start page. */
export function sectionsOf(services: readonly string[], { isOwner }: { isOwner: boolean }): readonly Section[] {
  return SECTIONS.filter(
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
