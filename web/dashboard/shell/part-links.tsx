import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import './part-links.css'

/** A page of several that are about the same thing. */
export type PartLink = { to: string; params: Record<string, string>; label: string; icon: LucideIcon }

/** The way between the pages about one thing. */
export function PartLinks({ label, parts }: { label: string; parts: readonly PartLink[] }) {
  return (
    <nav className="part-links" aria-label={label}>
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
