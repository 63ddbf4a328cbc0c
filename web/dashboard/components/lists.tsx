import { Button, type ButtonProps, CloseButton, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Download, Search } from 'lucide-react'
import { type ComponentPropsWithoutRef, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Key } from '../i18n/en.ts'
import { useFormat } from '../i18n/format.ts'

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
  /** The word for "all", which agrees with the label in some languages. */
  all?: Key
  labelOf(value: Value): string
  /** Called with undefined for "all". */
  onChange(value: Value | undefined): void
}

/** Narrows a list to one value of a field, or to none of them in particular. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, values, value, all = 'list.all', labelOf, onChange } = props
  const { t } = useTranslation()
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(values.find((known) => known === currentTarget.value))}
      data={[{ value: '', label: t(all) }, ...values.map((known) => ({ value: known, label: labelOf(known) }))]}
    />
  )
}

/** Pause in typing after which the search starts. */
const SEARCH_DELAY_MS = 300

/**
 * Holds the text of a search field. The search starts once typing pauses, and the text follows changes of the search.
 */
function useSearchText(search: string | undefined, onSearch: (search: string | undefined) => void) {
  const [text, setText] = useState(search ?? '')
  const started = useRef(search)
  const start = useDebouncedCallback((typed: string) => {
    started.current = typed.trim() === '' ? undefined : typed
    onSearch(started.current)
  }, SEARCH_DELAY_MS)
  useEffect(() => {
    if (search === started.current) return
    started.current = search
    setText(search ?? '')
  }, [search])
  return {
    text,
    change(typed: string): void {
      setText(typed)
      start(typed)
    },
  }
}

type ListCountProps = {
  shown: number
  total: number
  /** The text while only a part of the list is loaded. */
  partLabel(figures: { shown: string; total: string }): string
  allLabel(counted: { count: number; figure: string }): string
}

/** The length of a list below it, and how much of it is loaded. Says nothing about an empty list. */
export function ListCount({ shown, total, partLabel, allLabel }: ListCountProps) {
  const format = useFormat()
  const figure = format.count(total)
  return (
    <Text size="sm" c="dimmed" role="status" className="figures">
      {total > 0 &&
        (shown < total ? partLabel({ shown: format.count(shown), total: figure }) : allLabel({ count: total, figure }))}
    </Text>
  )
}

type PagesQuery<Page> = UseInfiniteQueryResult<InfiniteData<Page>, unknown>

/**
 * Joins the loaded pages of a list: their rows, the total that the first page names, and the request for the next page,
 * which is sent once at a time. `rowsOf` must take the same field each time.
 */
export function usePages<Page, Row>(query: PagesQuery<Page>, rowsOf: (page: Page) => Row[]) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is a new one each time
  const rows = useMemo(() => data?.pages.flatMap(rowsOf) ?? [], [data])
  const onEnd = () => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }
  return { rows, total: (data?.pages[0] as { total?: number } | undefined)?.total ?? 0, onEnd }
}

/** A button for one entry of a list. Its label names the entry, where the text on it does not. */
export function RowButton(props: ButtonProps & ComponentPropsWithoutRef<'button'>) {
  return <Button size="xs" variant="default" {...props} />
}

/** Downloads a list as a table. */
export function DownloadButton(props: ButtonProps & { href: string; children: string }) {
  const icon = <Download size={props.size === 'xs' ? 14 : 16} aria-hidden />
  return <Button component="a" download variant="default" leftSection={icon} {...props} />
}

type MoreButtonProps = { query: PagesQuery<unknown>; children: string }

/** Loads the next page of a list, if there is one. */
export function MoreButton({ query, children }: MoreButtonProps) {
  if (!query.hasNextPage) return null
  return (
    <Group justify="center">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {children}
      </Button>
    </Group>
  )
}

type RunnerSearchProps = { text: string; onText(text: string): void; onEnter?(): void }

/** The search of a list of runners. */
export function RunnerSearch({ text, onText, onEnter }: RunnerSearchProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      type="search"
      size="sm"
      aria-label={t('live.search')}
      placeholder={t('live.search')}
      leftSection={<Search size={16} aria-hidden />}
      rightSection={text !== '' && <CloseButton size="sm" aria-label={t('live.clear')} onClick={() => onText('')} />}
      value={text}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
      onKeyDown={({ key }) => key === 'Enter' && onEnter?.()}
    />
  )
}
