import {
  Box,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Paper,
  SegmentedControl,
  Skeleton,
  Stack,
  Title,
  VisuallyHidden,
} from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { FileText, LayoutGrid, List, SearchX, Trash2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { storedText, storeText } from '../../ui/stored-text.ts'
import { EmptyState } from '../../ui/titles.tsx'
import { useRights } from '../access/rights.tsx'
import { figuresAddress } from '../api/addresses.ts'
import { libraryQuery } from '../api/queries.ts'
import { useChangeSearch } from '../components/change-search.ts'
import { Failure } from '../components/feedback.tsx'
import { ChooseFiles, DropAnywhere } from '../components/file-choice.tsx'
import { ButtonLink } from '../components/links.tsx'
import { DownloadButton, FilterSelect, ListCount, ListFilters, RowButton, usePages } from '../components/lists.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { isUnderWay, useTransfers } from '../components/transfer-queue.ts'
import { useCollections } from './collections.tsx'
import { filterOf, type LibrarySearch, SORTS, STATES } from './library-search.ts'
import { SelectionBar, useSelection } from './library-selection.tsx'
import { LibraryGrid, LibraryTable } from './library-views.tsx'
import { UploadRow, UploadSummary } from './upload-panel.tsx'
import { inOrderOfConcern, type Upload, uploadQueue, uploadTotals, useAddFiles } from './upload-queue.ts'
import './library-grid.css'

/** A workspace's publications. The address holds the search, the order and the view. */
export function LibraryPage() {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  const { workspaceId } = useParams({ from: routeIds.library })
  const search = useSearch({ from: routeIds.library })
  const change = useChangeSearch<LibrarySearch>(`${paths.workspace}/`)
  const query = useInfiniteQuery(libraryQuery(workspaceId, filterOf(search)))
  const { rows: entries, total, onEnd } = usePages(query, ({ publications }) => publications)
  const [isDraft, setDraft] = useDraftChoice()
  const addFiles = useAddFiles(workspaceId, isDraft)
  const drafts = (
    <Checkbox
      label={t('upload.asDrafts')}
      checked={isDraft}
      onChange={(event) => setDraft(event.currentTarget.checked)}
    />
  )
  const isFiltered = search.q !== undefined || search.state !== undefined || search.collection !== undefined
  const selection = useSelection()
  const list = { entries, total, onEnd, ...(canEdit && { selection }) }
  return (
    <Stack>
      {canEdit && <DropAnywhere onFiles={addFiles} label={isDraft ? t('upload.dropDrafts') : undefined} />}
      {canEdit && <UploadList workspaceId={workspaceId} />}
      {(isFiltered || total > 0 || query.data === undefined) && (
        <LibraryFilters workspaceId={workspaceId} search={search} onChange={change}>
          {canEdit && drafts}
          {canEdit && <ChooseFiles onFiles={addFiles} />}
        </LibraryFilters>
      )}
      {canEdit && <SelectionBar workspaceId={workspaceId} entries={entries} selection={selection} />}
      {query.isError && query.data === undefined ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <LibrarySkeleton />
      ) : total === 0 ? (
        <NoPublications
          isFiltered={isFiltered}
          onClear={() => change({ q: undefined, state: undefined, collection: undefined })}
          onFiles={addFiles}
          drafts={drafts}
        />
      ) : search.view === 'table' ? (
        <LibraryTable {...list} search={search} onChange={change} />
      ) : (
        <LibraryGrid {...list} />
      )}
      <LibraryFoot workspaceId={workspaceId} shown={entries.length} total={total} />
    </Stack>
  )
}

/** The length of the list, and what else there is of a library: its figures, and its bin. */
function LibraryFoot({ workspaceId, shown, total }: { workspaceId: string; shown: number; total: number }) {
  const { t } = useTranslation()
  const { canEdit } = useRights()
  return (
    <Group justify="space-between">
      <ListCount
        shown={shown}
        total={total}
        partLabel={(figures) => t('library.count', figures)}
        allLabel={(counted) => t('workspaces.publications', counted)}
      />
      <Group gap="xs">
        {total > 0 && (
          <DownloadButton href={figuresAddress(workspaceId)} variant="subtle" size="xs">
            {t('library.figures')}
          </DownloadButton>
        )}
        {canEdit && (
          <ButtonLink
            to={paths.workspaceBin}
            params={{ workspaceId }}
            variant="subtle"
            size="xs"
            leftSection={<Trash2 size={14} aria-hidden />}
          >
            {t('bin.title')}
          </ButtonLink>
        )}
      </Group>
    </Group>
  )
}

/** The browser's own memory of the last choice. */
const DRAFTS_STORED_AS = 'trackpress-uploads-are-drafts'

/** Returns whether new files become drafts, as chosen at the last visit, and a function that changes it. */
function useDraftChoice(): [boolean, (isDraft: boolean) => void] {
  const [isDraft, setDraft] = useState(() => storedText(DRAFTS_STORED_AS) !== undefined)
  const change = (chosen: boolean) => {
    setDraft(chosen)
    storeText(DRAFTS_STORED_AS, chosen ? 'true' : undefined)
  }
  return [isDraft, change]
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

type SearchProps = { search: LibrarySearch; onChange(part: LibrarySearch): void }
type LibraryFiltersProps = SearchProps & { workspaceId: string; children?: ReactNode }

/** Search, state, collection, order and view of a library. */
function LibraryFilters({ workspaceId, search, onChange, children }: LibraryFiltersProps) {
  const { t } = useTranslation()
  const collections = useCollections(workspaceId) ?? []
  return (
    <ListFilters search={search.q} onSearch={(q) => onChange({ q })} placeholder={t('library.searchIn')}>
      <div className="library-filters">
        <FilterSelect
          label={t('field.state')}
          values={STATES}
          value={search.state}
          labelOf={(state) => t(`publication.${state}`)}
          onChange={(state) => onChange({ state })}
        />
        {(collections.length > 0 || search.collection !== undefined) && (
          <NativeSelect
            label={t('collections.one')}
            value={search.collection ?? ''}
            onChange={({ currentTarget }) => onChange({ collection: currentTarget.value || undefined })}
            data={[
              { value: '', label: t('collections.all') },
              ...collections.map(({ id, name }) => ({ value: id, label: name })),
              { value: 'none', label: t('collections.without') },
            ]}
            maw={240}
          />
        )}
        <NativeSelect
          label={t('library.sort')}
          value={search.sort ?? 'created'}
          onChange={({ currentTarget }) =>
            onChange({ sort: SORTS.find((sort) => sort === currentTarget.value), order: undefined })
          }
          data={SORTS.map((sort) => ({ value: sort, label: t(`library.by_${sort}`) }))}
        />
        <ViewChoice search={search} onChange={onChange} />
      </div>
      <Group ml="auto" gap="sm">
        {children}
      </Group>
    </ListFilters>
  )
}

function ViewChoice({ search, onChange }: SearchProps) {
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

/** The uploads of a workspace, finished ones included. */
function UploadList({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation()
  const titleId = useId()
  const uploads = useTransfers(uploadQueue).filter(
    (upload) => upload.workspaceId === workspaceId && !('replacedId' in upload.purpose),
  )
  const over = uploads.filter((upload) => !isUnderWay(upload))
  return (
    <>
      <Announcement uploads={uploads} />
      {uploads.length > 0 && (
        <Paper withBorder p="md" bg="var(--panel-background)" component="section" aria-labelledby={titleId}>
          <Group justify="space-between" mb="sm">
            <Title order={2} id={titleId}>
              {t('upload.title')}
            </Title>
            {over.length > 0 && (
              <RowButton
                onClick={() => {
                  for (const { id } of over) uploadQueue.remove(id)
                }}
              >
                {t('upload.clear')}
              </RowButton>
            )}
          </Group>
          <Box mb="sm">
            <UploadSummary totals={uploadTotals(uploads)} />
          </Box>
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
            {inOrderOfConcern(uploads).map((upload) => (
              <UploadRow key={upload.id} upload={upload} />
            ))}
          </Stack>
        </Paper>
      )}
    </>
  )
}

/** Announces the number of finished uploads to screen readers, not every step of each. */
function Announcement({ uploads }: { uploads: readonly Upload[] }) {
  const { t } = useTranslation()
  const done = uploads.filter(({ phase }) => phase === 'done').length
  const failed = uploads.filter(({ phase }) => phase === 'failed').length
  return (
    <VisuallyHidden role="status">
      {uploads.length > 0 && t('upload.announced', { done, failed, all: uploads.length })}
    </VisuallyHidden>
  )
}

const CARDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** A placeholder for a library that is loading. */
function LibrarySkeleton() {
  const { t } = useTranslation()
  return (
    <div className="library-skeleton" role="status" aria-label={t('state.loading')}>
      {CARDS.map((card) => (
        <Skeleton key={card} height={340} />
      ))}
    </div>
  )
}
