import { AppShell, Burger, Group, NavLink, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { CalendarDays, LibraryBig, Users } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '../api/session.ts'
import { settingsQuery } from '../api/settings.ts'
import { paths } from '../paths.ts'
import { useUploadEffects } from '../uploads/use-uploads.ts'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { Preferences } from './preferences.tsx'

const ENTRIES = [
  { to: paths.events, key: 'nav.events', icon: CalendarDays, also: '/tracks', service: 'tracks' },
  { to: paths.workspaces, key: 'nav.workspaces', icon: LibraryBig, also: '/publications', service: 'publications' },
  { to: paths.operators, key: 'nav.operators', icon: Users, also: undefined, service: undefined },
] as const

/** The frame of every page for who is signed in. */
export function Shell({ session }: { session: Session }) {
  const { t } = useTranslation()
  const [opened, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  useUploadEffects()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page is what closes the menu of a narrow screen
  useEffect(close, [pathname])
  return (
    <>
      <a className="skip-link" href="#content">
        {t('nav.skip')}
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        padding={{ base: 'sm', sm: 'lg' }}
      >
        <AppShell.Header bg="var(--panel-background)">
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={opened ? t('nav.close') : t('nav.open')}
                aria-expanded={opened}
              />
              <Link to={paths.events} className="plain-link">
                <Brand />
              </Link>
            </Group>
            <Group gap={4} wrap="nowrap">
              <Preferences />
              <AccountMenu name={session.operator.name} />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" bg="var(--panel-background)" aria-label={t('nav.label')}>
          <Navigation pathname={pathname} />
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
          <ConnectionBanner />
          <Stack gap="lg" maw={1400} mx="auto">
            <Outlet />
          </Stack>
        </AppShell.Main>
      </AppShell>
    </>
  )
}

function Navigation({ pathname }: { pathname: string }) {
  const { t } = useTranslation()
  const services = useQuery(settingsQuery).data?.services
  const shown = ENTRIES.filter(
    ({ service }) => service === undefined || services === undefined || services.includes(service),
  )
  return shown.map(({ to, key, icon: Icon, also }) => {
    const active = pathname.startsWith(to) || (also !== undefined && pathname.startsWith(also))
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
