import { NavLink } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { settingsQuery } from '../api/settings.ts'
import { sectionAt, sectionsOf } from '../navigation/sections.ts'

/** The links to the sections of the services that run. */
export function Navigation({ pathname }: { pathname: string }) {
  const { t } = useTranslation()
  const services = useQuery(settingsQuery).data?.services ?? []
  const rights = useRights()
  const current = sectionAt(pathname)?.to
  return sectionsOf(services, rights).map(({ to, key, icon: Icon }) => {
    const active = to === current
    return (
      <NavLink
        key={to}
        component={Link}
        to={to}
        label={t(key)}
        active={active}
        aria-current={active ? 'page' : undefined}
        leftSection={<Icon size={18} aria-hidden />}
        style={{ borderRadius: 'var(--mantine-radius-md)' }}
      />
    )
  })
}
