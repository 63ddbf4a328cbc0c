import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { Check, Languages, Monitor, Moon, Ruler, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { chooseLanguage, LANGUAGES, type Language } from '../i18n/i18n.ts'
import { chooseSystem, SYSTEMS, useSystem } from '../i18n/units.ts'

/** Menus for language, units and colour theme. The choice is kept in this browser. */
export function Preferences() {
  return (
    <>
      <LanguageMenu />
      <UnitsMenu />
      <ColourMenu />
    </>
  )
}

function LanguageMenu() {
  const { t, i18n } = useTranslation()
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('preferences.language')}>
          <Languages size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('preferences.language')}>
        {(Object.keys(LANGUAGES) as Language[]).map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            onClick={() => chooseLanguage(language)}
            rightSection={i18n.language === language ? <Check size={16} aria-label={t('preferences.chosen')} /> : null}
          >
            {LANGUAGES[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The menu for metric or imperial units. The choice is kept in this browser. */
export function UnitsMenu() {
  const { t } = useTranslation()
  const current = useSystem()
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('preferences.units')}>
          <Ruler size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('preferences.units')}>
        {SYSTEMS.map((system) => (
          <Menu.Item
            key={system}
            onClick={() => chooseSystem(system)}
            rightSection={current === system ? <Check size={16} aria-label={t('preferences.chosen')} /> : null}
          >
            {t(`preferences.${system}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const SCHEMES = [
  { scheme: 'auto', icon: Monitor, key: 'preferences.auto' },
  { scheme: 'light', icon: Sun, key: 'preferences.light' },
  { scheme: 'dark', icon: Moon, key: 'preferences.dark' },
] as const

function ColourMenu() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = SCHEMES.find(({ scheme }) => scheme === colorScheme)?.icon ?? Monitor
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('preferences.colours')}>
          <Current size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('preferences.colours')}>
        {SCHEMES.map(({ scheme, icon: Icon, key }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
            rightSection={colorScheme === scheme ? <Check size={16} aria-label={t('preferences.chosen')} /> : null}
          >
            {t(key)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
