import { Link, useLocation } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import './tab-links.css'

/** A page of several that are about the same thing. */
export type TabLink = { to: string; params: Record<string, string>; label: string; icon: LucideIcon }

/** The way between the pages about one thing. */
export function TabLinks({ label, parts }: { label: string; parts: readonly TabLink[] }) {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a narrow screen the parts do not all fit; the one that is shown is to be seen among them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is current is known once the page has changed
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (current) nav.current?.scrollTo({ left: current.offsetLeft - nav.current.clientWidth / 3 })
  }, [pathname])
  return (
    <nav ref={nav} className="part-links" aria-label={label}>
      <ul>
        {parts.map(({ to, params, label: part, icon: Icon }) => (
          <li key={to}>
            <Link to={to} params={params} activeOptions={{ exact: true, includeSearch: false }}>
              <Icon size={16} aria-hidden />
              {part}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
