import { AppShell, Burger, Group, ScrollArea, Stack } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NotAllowed, useRights } from '../access/rights.tsx'
import { settingsQuery } from '../api/queries.ts'
import { HeaderPlace, WIDE_WINDOW } from '../components/full-window.ts'
import { Brand, ConnectionBanner, NotFound } from '../components/page-frames.tsx'
import { paths } from '../components/paths.ts'
import { Preferences } from '../components/preferences.tsx'
import { useTransfers } from '../components/transfer-queue.ts'
import type { Session } from '../generated/types.gen.ts'
import { uploadQueue, useUploadEffects } from '../library/upload-queue.ts'
import { useImportEffects } from '../tracks/import-queue.ts'
import { AccountMenu } from './account-menu.tsx'
import { HelpLinks, Navigation } from './main-navigation.tsx'
import { BackupNotice, ClockNotice, MapNotice } from './notices.tsx'
import { isServed, sectionAt } from './sections.ts'

/** Loaded with the pages that upload. */
const UploadPanel = lazy(async () => ({ default: (await import('../library/upload-panel.tsx')).UploadPanel }))

/** The frame of every page for signed-in operators. */
export function Shell({ session }: { session: Session }) {
  const { t } = useTranslation()
  const [opened, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const services = useQuery(settingsQuery).data?.services
  const isNarrow = IN_EVENT.test(pathname)
  const [headerPlace, setHeaderPlace] = useState<HTMLElement | null>(null)
  const isWide = useMediaQuery(WIDE_WINDOW, false, { getInitialValueInEffect: false })
  const fillsWindow = isWide && WITH_LIVE_MAP.test(pathname)
  const preferencesFrom = fillsWindow ? 'lg' : 'sm'
  const hasUploads = useTransfers(uploadQueue).length > 0
  useUploadEffects()
  useImportEffects()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu of a narrow screen
  useEffect(close, [pathname])
  return (
    <>
      <a className="skip-link" href="#content">
        {t('nav.skip')}
      </a>
      <a className="skip-link to-runners" href="#runners">
        {t('nav.skipToRunners')}
      </a>
      <AppShell
        header={{ height: fillsWindow ? 48 : 56 }}
        navbar={{
          width: isNarrow && !fillsWindow ? 62 : 220,
          breakpoint: 'sm',
          collapsed: { mobile: !opened, desktop: fillsWindow && !opened },
        }}
        padding={{ base: 'sm', sm: 'lg' }}
      >
        <AppShell.Header bg="var(--panel-background)" className={fillsWindow ? 'slim-header' : undefined}>
          <Group h="100%" px={fillsWindow ? 'xs' : 'md'} gap="xs" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap" miw={fillsWindow ? 'max-content' : 0} style={{ overflow: 'hidden' }}>
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom={fillsWindow ? undefined : 'sm'}
                size="sm"
                aria-label={opened ? t('nav.close') : t('nav.open')}
                aria-expanded={opened}
              />
              <Link to={paths.home} className="plain-link" aria-label={fillsWindow ? 'Trackpress' : undefined}>
                <Brand />
              </Link>
            </Group>
            {fillsWindow && <div ref={setHeaderPlace} className="page-heading" />}
            <Group gap={4} wrap="nowrap">
              <Group gap={4} wrap="nowrap" visibleFrom={preferencesFrom}>
                <Preferences />
              </Group>
              <AccountMenu name={session.operator.name} />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar
          p="sm"
          className={fillsWindow ? 'nav-on-demand' : isNarrow ? 'nav-icons' : undefined}
          data-closed={!opened || undefined}
          bg="var(--panel-background)"
          aria-label={t('nav.label')}
        >
          <AppShell.Section grow component={ScrollArea} type="never">
            <Navigation pathname={pathname} />
          </AppShell.Section>
          <AppShell.Section>
            <HelpLinks />
            {/* On a narrow screen or with large text, the header has no room for them. */}
            <Group gap={4} mt="xs" hiddenFrom={preferencesFrom}>
              <Preferences />
            </Group>
          </AppShell.Section>
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
          <ConnectionBanner />
          <HeaderPlace value={fillsWindow ? headerPlace : undefined}>
            <Stack gap="lg" className="page">
              <ClockNotice />
              <BackupNotice />
              <MapNotice pathname={pathname} />
              <ShownPage pathname={pathname} services={services} />
            </Stack>
          </HeaderPlace>
          <BackToNavigation />
        </AppShell.Main>
      </AppShell>
      {hasUploads && (
        <Suspense>
          <UploadPanel pathname={pathname} />
        </Suspense>
      )}
    </>
  )
}

/**
 * Pages of an event and its tracks, which leave the navigation no more than its icons: maps and tables need the width.
 */
const IN_EVENT = /^\/(?:events\/(?!(?:new|bin)$)|tracks\/)[^/]+/

/** Addresses of the live map of an event and its replay. */
const WITH_LIVE_MAP = /^\/events\/(?!(?:new|bin)\/?$)[^/]+(?:\/replay)?\/?$/

/** Leads back to the places of an event, or else to the navigation, from the end of a long form. */
function BackToNavigation() {
  const { t } = useTranslation()
  const goBack = () => (firstLink('.event-places') ?? firstLink('nav'))?.focus()
  return (
    <button type="button" className="skip-link" onClick={goBack}>
      {t('nav.skipBack')}
    </button>
  )
}

function firstLink(within: string): HTMLElement | null {
  return document.querySelector(`${within} a`)
}

/** The page, unless its service does not run here or it is not for the operator. */
function ShownPage({ pathname, services }: { pathname: string; services: readonly string[] | undefined }) {
  const { isOwner, canGovern } = useRights()
  if (services !== undefined && !isServed(pathname, services)) return <NotFound />
  const isForOthers =
    (sectionAt(pathname)?.isForOwners === true && !isOwner) || (CREATING.includes(pathname) && !canGovern)
  return isForOthers ? <NotAllowed /> : <Outlet />
}

const CREATING: readonly string[] = [paths.newEvent, paths.newWorkspace]
