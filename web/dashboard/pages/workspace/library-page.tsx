import { Button, Checkbox, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { FileText, SearchX } from 'lucide-react'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { useRights } from '../../access/rights.tsx'
import { type LibraryEntry, libraryQuery } from '../../api/publications.ts'
import { ListCount } from '../../components/list-count.tsx'
import { Failure } from '../../feedback/failure.tsx'
import { paths, routeIds } from '../../navigation/paths.ts'
import { ChooseFiles } from '../../uploads/choose-files.tsx'
import { DropAnywhere } from '../../uploads/drop-anywhere.tsx'
import { UploadList } from '../../uploads/upload-list.tsx'
import { useAddFiles } from '../../uploads/use-add-files.ts'
import { LibraryFilters } from './library-filters.tsx'
import { LibraryGrid } from './library-grid.tsx'
import { filterOf, type LibrarySearch } from './library-search.ts'
import { LibrarySkeleton } from './library-skeleton.tsx'
import { LibraryTable } from './library-table.tsx'

const NO_ENTRIES: LibraryEntry[] = []

/** A workspace's publications. The address holds the search, the order and the view. */
export function LibraryPage() {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const { workspaceId } = useParams({ from: routeIds.library })
  const search = useSearch({ from: routeIds.library })
  const change = useChangeSearch()
  const query = useInfiniteQuery(libraryQuery(workspaceId, filterOf(search)))
  const entries = useMemo(
    () => query.data?.pages.flatMap(({ publications }) => publications) ?? NO_ENTRIES,
    [query.data],
  )
  const total = query.data?.pages[0]?.total ?? 0
  const [isDraft, setDraft] = useState(false)
  const addFiles = useAddFiles(workspaceId, isDraft)
  const drafts = (
    <Checkbox
      label={t('upload.asDrafts')}
      checked={isDraft}
      onChange={(event) => setDraft(event.currentTarget.checked)}
    />
  )
  const isFiltered = search.q !== undefined || search.state !== undefined
  const list = {
    entries,
    total,
    onEnd: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
    },
  }
  return (
    <Stack>
      {canEdit && <DropAnywhere onFiles={addFiles} />}
      {canEdit && <UploadList workspaceId={workspaceId} />}
      {(isFiltered || total > 0 || query.data === undefined) && (
        <LibraryFilters search={search} onChange={change}>
          {canEdit && drafts}
          {canEdit && <ChooseFiles onFiles={addFiles} />}
        </LibraryFilters>
      )}
      {query.isError && query.data === undefined ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <LibrarySkeleton />
      ) : total === 0 ? (
        <NoPublications
          isFiltered={isFiltered}
          onClear={() => change({ q: undefined, state: undefined })}
          onFiles={addFiles}
          drafts={drafts}
        />
      ) : search.view === 'table' ? (
        <LibraryTable {...list} search={search} onChange={change} />
      ) : (
        <LibraryGrid {...list} />
      )}
      <ListCount
        shown={entries.length}
        total={total}
        partLabel={(figures) => t('library.count', figures)}
        allLabel={(counted) => t('workspaces.publications', counted)}
      />
    </Stack>
  )
}

function useChangeSearch(): (part: LibrarySearch) => void {
  const navigate = useNavigate()
  return useCallback(
    (part) =>
      void navigate({
        from: `${paths.workspace}/`,
        to: '.',
        search: (before) => ({ ...before, ...part }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  )
}

type NoPublicationsProps = { isFiltered: boolean; onClear(): void; onFiles(files: File[]): void; drafts: ReactNode }

function NoPublications({ isFiltered, onClear, onFiles, drafts }: NoPublicationsProps) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  if (!isFiltered) {
    const action = canEdit && (
      <Stack align="center" gap="sm">
        <ChooseFiles onFiles={onFiles} isPrimary />
        {drafts}
      </Stack>
    )
    return (
      <EmptyState icon={FileText} title={t('library.empty')} action={action}>
        {t(canEdit ? 'library.emptyHelp' : 'access.noPublicationsYet')}
      </EmptyState>
    )
  }
  const action = (
    <Button variant="default" onClick={onClear}>
      {t('list.clear')}
    </Button>
  )
  return <EmptyState icon={SearchX} title={t('library.noneFound')} action={action} />
}
