import { Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { LayoutGrid, List, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchText } from '../../forms/use-search-text.ts'
import { type LibrarySearch, SORTS, STATES } from './library-search.ts'

type LibraryFiltersProps = { search: LibrarySearch; onChange(part: LibrarySearch): void; children: ReactNode }

/** Search, state, order and kind of view. */
export function LibraryFilters({ search, onChange, children }: LibraryFiltersProps) {
  const { t } = useTranslation()
  const { text, change } = useSearchText(search.q, (q) => onChange({ q }))
  return (
    <Group align="flex-end" role="search">
      <TextInput
        type="search"
        label={t('tracks.search')}
        placeholder={t('library.searchIn')}
        leftSection={<Search size={16} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        flex="1 1 220px"
        maw={420}
      />
      <NativeSelect
        label={t('tracks.state')}
        value={search.state ?? ''}
        onChange={({ currentTarget }) => onChange({ state: STATES.find((state) => state === currentTarget.value) })}
        data={[
          { value: '', label: t('tracks.all') },
          ...STATES.map((state) => ({ value: state, label: t(`publication.${state}`) })),
        ]}
      />
      <NativeSelect
        label={t('library.sort')}
        value={search.sort ?? 'created'}
        onChange={({ currentTarget }) =>
          onChange({ sort: SORTS.find((sort) => sort === currentTarget.value), order: undefined })
        }
        data={SORTS.map((sort) => ({ value: sort, label: t(`library.by_${sort}`) }))}
      />
      <ViewChoice search={search} onChange={onChange} />
      <Group ml="auto">{children}</Group>
    </Group>
  )
}

function ViewChoice({ search, onChange }: Pick<LibraryFiltersProps, 'search' | 'onChange'>) {
  const { t } = useTranslation()
  return (
    <SegmentedControl
      aria-label={t('library.view')}
      value={search.view ?? 'grid'}
      onChange={(view) => onChange({ view: view === 'table' ? 'table' : undefined })}
      data={[
        {
          value: 'grid',
          label: <LayoutGrid size={18} aria-label={t('library.asGrid')} style={{ display: 'block' }} />,
        },
        { value: 'table', label: <List size={18} aria-label={t('library.asTable')} style={{ display: 'block' }} /> },
      ]}
    />
  )
}
