import { Anchor, type AnchorProps, Button, type ButtonProps, Menu, type MenuItemProps } from '@mantine/core'
import { createLink, Link, useLocation, useMatchRoute } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { type ComponentPropsWithRef, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { downloadConfirmed } from '../api/confirmation.ts'
import type { Key } from '../i18n/en.ts'
import './links.css'

type LinkProps<Own> = Own & Omit<ComponentPropsWithRef<'a'>, keyof Own>

/** A text link to a page of the dashboard. */
export const AnchorLink = createLink((props: LinkProps<AnchorProps>) => <Anchor {...props} />)

/** A link to a page of the dashboard that looks like a button. */
export const ButtonLink = createLink((props: LinkProps<ButtonProps>) => <Button component="a" {...props} />)

/** A menu item that links to a page of the dashboard. */
export const MenuLink = createLink((props: LinkProps<MenuItemProps>) => <Menu.Item component="a" {...props} />)

/** One of several pages about the same thing. */
export type Tab = {
  to: string
  key: Key
  icon: LucideIcon
  /** True for a page with pages below it, which have the same tab. */
  hasPagesBelow?: boolean
  /** True for a page that viewers do not have. */
  isForEditors?: boolean
}

type TabLinksProps = {
  label: string
  tabs: readonly Tab[]
  params: Record<string, string>
  /** For links below other ones. */
  isSecondary?: boolean
}

/** Links between the pages about one thing. */
export function TabLinks({ label, tabs, params, isSecondary = false }: TabLinksProps) {
  const { t } = useTranslation()
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a narrow screen not all tabs fit. The current one is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab is known once the page has changed
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (current) nav.current?.scrollTo({ left: current.offsetLeft - nav.current.clientWidth / 3 })
  }, [pathname])
  return (
    <nav ref={nav} className="tab-links" data-secondary={isSecondary || undefined} aria-label={label}>
      <ul>
        {tabs.map(({ to, key, icon: Icon, hasPagesBelow = false }) => (
          <li key={to}>
            <Link to={to} params={params} activeOptions={{ exact: !hasPagesBelow, includeSearch: false }}>
              <Icon size={16} aria-hidden />
              {t(key)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Returns the tab that is shown; the first one for an address that is none of them. */
export function useCurrentTab(tabs: readonly Tab[]): Tab {
  const matchRoute = useMatchRoute()
  return tabs.find(({ to, hasPagesBelow = false }) => matchRoute({ to, fuzzy: hasPagesBelow })) ?? tabs[0]
}

/** Tells whether viewers do not have a page. */
export function isForEditors({ isForEditors: isForThem = false }: Tab): boolean {
  return isForThem
}

/** `isConfirmed` lets the operator confirm first, for what the server hands out only then. */
type DownloadItemProps = { href: string; isConfirmed?: boolean; children: ReactNode }

/** An entry of a menu that downloads a file. */
export function DownloadItem({ href, isConfirmed = false, children }: DownloadItemProps) {
  const confirm = (event: MouseEvent) => {
    event.preventDefault()
    void downloadConfirmed(href)
  }
  return (
    <Menu.Item component="a" href={href} download onClick={isConfirmed ? confirm : undefined}>
      {children}
    </Menu.Item>
  )
}
