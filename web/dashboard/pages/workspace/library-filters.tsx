import { Group, NativeSelect, SegmentedControl } from '@mantine/core'
import { LayoutGrid, List } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterSelect, ListFilters } from '../../forms/list-filters.tsx'
import { type LibrarySearch, SORTS, STATES } from './library-search.ts'

type LibraryFiltersProps = { search: LibrarySearch; onChange(part: LibrarySearch): void; children: ReactNode }

/** Search, state, order and view of a library. */
export function LibraryFilters({ search, onChange, children }: LibraryFiltersProps) {
  const { t } = useTranslation()
  return (
    <ListFilters search={search.q} onSearch={(q) => onChange({ q })} placeholder={t('library.searchIn')}>
      <FilterSelect
        label={t('field.state')}
        values={STATES}
        value={search.state}
        labelOf={(state) => t(`publication.${state}`)}
        onChange={(state) => onChange({ state })}
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
    </ListFilters>
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
