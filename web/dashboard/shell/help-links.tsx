import { NavLink } from '@mantine/core'
import { BookOpen, Braces, CircleQuestionMark, Server, Smartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { guides } from '../navigation/paths.ts'

const LINKS = [
  { href: guides.appDevelopers, key: 'help.appDevelopers', icon: Smartphone },
  { href: guides.publishing, key: 'help.publishing', icon: BookOpen },
  { href: guides.operating, key: 'help.operating', icon: Server },
  { href: guides.reference, key: 'help.reference', icon: Braces },
] as const

const ROUND = { borderRadius: 'var(--mantine-radius-md)' }

/** Links to the guides and the API reference of this server. They open beside the dashboard, which stays as it is. */
export function HelpLinks() {
  const { t } = useTranslation()
  return (
    <NavLink
      component="button"
      label={t('help.title')}
      leftSection={<CircleQuestionMark size={18} aria-hidden />}
      childrenOffset={12}
      style={ROUND}
    >
      {LINKS.map(({ href, key, icon: Icon }) => (
        <NavLink
          key={href}
          href={href}
          target="_blank"
          label={t(key)}
          leftSection={<Icon size={16} aria-hidden />}
          style={ROUND}
        />
      ))}
    </NavLink>
  )
}
