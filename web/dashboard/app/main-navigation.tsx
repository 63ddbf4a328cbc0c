import { NavLink } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, Outlet } from '@tanstack/react-router'
import { BookOpen, Braces, CircleQuestionMark, Flag, Server, Smartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { settingsQuery } from '../api/queries.ts'
import { TabLinks } from '../components/links.tsx'
import { LoadedPage } from '../components/page-frames.tsx'
import { guideIn, guides, paths } from '../components/paths.ts'
import { administrationPages, sectionAt, sectionsOf } from './sections.ts'

/** The links to the sections of the services that run. */
export function Navigation({ pathname }: { pathname: string }) {
  const { t } = useTranslation()
  const services = useQuery(settingsQuery).data?.services ?? []
  const rights = useRights()
  const current = sectionAt(pathname)?.key
  return sectionsOf(services, rights).map(({ to, key, icon: Icon }) => {
    const active = key === current
    return (
      <NavLink
        key={to}
        component={Link}
        to={to}
        label={t(key)}
        title={t(key)}
        active={active}
        aria-current={active ? 'page' : undefined}
        leftSection={<Icon size={18} aria-hidden />}
        style={{ borderRadius: 'var(--mantine-radius-md)' }}
      />
    )
  })
}

/** The frame of the pages about the whole installation. */
export function AdministrationLayout() {
  const { t } = useTranslation()
  const services = useQuery(settingsQuery).data?.services ?? []
  return (
    <>
      <TabLinks label={t('nav.administration')} tabs={administrationPages(services)} params={{}} />
      <Outlet />
    </>
  )
}

/** Redirects to the first section of the services that run. */
export function HomePage() {
  const settings = useQuery(settingsQuery)
  const rights = useRights()
  return (
    <LoadedPage query={settings}>
      {({ services }) => <Navigate to={sectionsOf(services, rights)[0]?.to ?? paths.account} replace />}
    </LoadedPage>
  )
}

const LINKS = [
  { href: guides.events, key: 'help.events', icon: Flag },
  { href: guides.appDevelopers, key: 'help.appDevelopers', icon: Smartphone },
  { href: guides.publishing, key: 'help.publishing', icon: BookOpen },
  { href: guides.operating, key: 'help.operating', icon: Server },
  { href: guides.reference, key: 'help.reference', icon: Braces },
] as const

const ROUND = { borderRadius: 'var(--mantine-radius-md)' }

/** Links to the guides and the API reference of this server. They open beside the dashboard, which stays as it is. */
export function HelpLinks() {
  const { t, i18n } = useTranslation()
  return (
    <NavLink
      component="button"
      label={t('help.title')}
      title={t('help.title')}
      leftSection={<CircleQuestionMark size={18} aria-hidden />}
      childrenOffset={12}
      style={ROUND}
    >
      {LINKS.map(({ href, key, icon: Icon }) => (
        <NavLink
          key={href}
          href={guideIn(i18n.language, href)}
          target="_blank"
          label={t(key)}
          title={t(key)}
          leftSection={<Icon size={16} aria-hidden />}
          style={ROUND}
        />
      ))}
    </NavLink>
  )
}
