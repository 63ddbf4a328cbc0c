import { ActionIcon, Menu, NativeSelect, useMantineColorScheme } from '@mantine/core'
import { Check, Languages, type LucideIcon, Monitor, Moon, Ruler, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { languageName } from '../../../src/platform/basics/translate.ts'
import { chooseLanguage } from '../i18n/i18n.ts'
import { LANGUAGES } from '../i18n/language.ts'
import { chooseSystem, SYSTEMS, type System, unitsOf, useSystem } from '../i18n/units.ts'

const SCHEMES = { auto: Monitor, light: Sun, dark: Moon }

/** Menus for language, units and colour theme. The choice is kept in this browser. */
export function Preferences() {
  const { t, i18n } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <ChoiceMenu
        label={t('preferences.language')}
        icon={Languages}
        choices={LANGUAGES.map((value) => ({ value, words: languageName(value), lang: value }))}
        current={i18n.language}
        onChoose={(language) => chooseLanguage(language)}
      />
      <UnitsMenu />
      <ChoiceMenu
        label={t('preferences.colours')}
        icon={SCHEMES[colorScheme]}
        choices={(['auto', 'light', 'dark'] as const).map((value) => ({
          value,
          words: t(`preferences.${value}`),
          icon: SCHEMES[value],
        }))}
        current={colorScheme}
        onChoose={setColorScheme}
      />
    </>
  )
}

/** The menu for metric or imperial units. The choice is kept in this browser. */
function UnitsMenu() {
  const { t } = useTranslation()
  return (
    <ChoiceMenu
      label={t('preferences.units')}
      icon={Ruler}
      choices={SYSTEMS.map((value) => ({ value, words: t(`preferences.${value}`) }))}
      current={useSystem()}
      onChoose={chooseSystem}
    />
  )
}

/** The same choice as a field of the browser, which needs far less code than a menu. */
export function UnitsField() {
  const { t, i18n } = useTranslation()
  return (
    <NativeSelect
      size="xs"
      variant="unstyled"
      aria-label={t('preferences.units')}
      value={useSystem()}
      onChange={({ currentTarget }) => chooseSystem(currentTarget.value as System)}
      data={SYSTEMS.map((value) => ({ value, label: unitsOf(value, i18n.language).far }))}
    />
  )
}

type ChoiceMenuProps<Value extends string> = {
  label: string
  icon: LucideIcon
  choices: readonly { value: Value; words: string; lang?: string; icon?: LucideIcon }[]
  current: string
  onChoose(value: Value): void
}

function ChoiceMenu<Value extends string>({ label, icon: Icon, choices, current, onChoose }: ChoiceMenuProps<Value>) {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label}>
          <Icon size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {choices.map(({ value, words, lang, icon: ChoiceIcon }) => (
          <Menu.Item
            key={value}
            lang={lang}
            leftSection={ChoiceIcon && <ChoiceIcon size={16} aria-hidden />}
            onClick={() => onChoose(value)}
            rightSection={current === value ? <Check size={16} aria-label={t('preferences.chosen')} /> : null}
          >
            {words}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
