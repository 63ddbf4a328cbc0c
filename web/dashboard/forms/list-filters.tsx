import { Group, NativeSelect, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchText } from './use-search-text.ts'

type ListFiltersProps = {
  /** The text that is searched for. */
  search: string | undefined
  onSearch(search: string | undefined): void
  placeholder: string
  /** Further filters. */
  children: ReactNode
}

/** The search field above a list, and its filters next to it. */
export function ListFilters({ search, onSearch, placeholder, children }: ListFiltersProps) {
  const { t } = useTranslation()
  const { text, change } = useSearchText(search, onSearch)
  return (
    <Group align="flex-end" role="search">
      <TextInput
        type="search"
        label={t('list.search')}
        placeholder={placeholder}
        leftSection={<Search size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        flex="1 1 240px"
        maw={420}
      />
      {children}
    </Group>
  )
}

type FilterSelectProps<Value extends string> = {
  label: string
  values: readonly Value[]
  value: Value | undefined
  labelOf(value: Value): string
  /** Called with undefined for "all". */
  onChange(value: Value | undefined): void
}

/** Narrows a list to one value of a field, or to none of them in particular. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, values, value, labelOf, onChange } = props
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(values.find((known) => known === currentTarget.value))}
      data={[{ value: '', label: t('list.all') }, ...values.map((known) => ({ value: known, label: labelOf(known) }))]}
    />
  )
}
