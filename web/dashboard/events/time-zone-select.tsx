import { type ComboboxItem, type OptionsFilter, Select, type SelectProps } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** Zones shown at once; one types to find another. */
const SHOWN_ZONES = 100

type TimeZoneSelectProps = Pick<SelectProps, 'value' | 'defaultValue' | 'onChange' | 'error' | 'onBlur' | 'onFocus'> & {
  /** The zone of an event without one of its own, if known. */
  serverZone?: string
}

/** Chooses a time zone by typing a part of its name; none for that of the server. */
export function TimeZoneSelect({ serverZone, ...input }: TimeZoneSelectProps) {
  const { t } = useTranslation()
  const chosen = input.defaultValue ?? input.value
  const zones = useMemo(() => zoneItems(chosen), [chosen])
  return (
    <Select
      label={t('event.timeZone')}
      description={t('event.timeZoneHelp')}
      placeholder={serverZone === undefined ? t('event.timeZoneOfServer') : t('event.timeZoneIs', { zone: serverZone })}
      data={zones}
      searchable
      clearable
      limit={SHOWN_ZONES}
      filter={filterZones}
      nothingFoundMessage={t('event.timeZoneUnknown')}
      clearButtonProps={{ 'aria-label': t('event.timeZoneClear') }}
      {...input}
    />
  )
}

/** Lists the zones that the browser knows, and the chosen one, which only the server may know. */
function zoneItems(chosen: string | null | undefined): ComboboxItem[] {
  const known = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(chosen ? [chosen] : [])])
  return [...known].map((value) => ({ value, label: value.replaceAll('_', ' ') }))
}

/** Finds `new york` in `America/New York`, and `cafe` where a name has an accent. */
const filterZones: OptionsFilter = ({ options, search }) => {
  const words = folded(search).split(/[\s/_]+/)
  return (options as ComboboxItem[]).filter(({ label }) => words.every((word) => folded(label).includes(word)))
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
