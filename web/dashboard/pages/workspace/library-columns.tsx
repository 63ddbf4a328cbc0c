import { createColumnHelper } from '@tanstack/react-table'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { tableOptions, VirtualColumns } from '../../../ui/virtual-table.tsx'
import type { LibraryEntry } from '../../api/publications.ts'
import { Ago } from '../../components/ago.tsx'
import { useFormat } from '../../i18n/format.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { PublicationBadge } from '../../publications/publication-badge.tsx'

const column = createColumnHelper<typeof tableOptions, LibraryEntry>()

/** Returns the columns of a library. The ids of sortable columns are the server's names of the orders. */
export function useLibraryColumns(): VirtualColumns<LibraryEntry> {
  const { t } = useTranslation()
  const format = useFormat()
  return useMemo(
    () => [
      column.accessor('title', {
        header: t('field.title'),
        cell: ({ row: { original } }) => (
          <AnchorLink
            to={paths.publication}
            params={{ publicationId: original.id }}
            size="sm"
            maw={380}
            truncate
            display="block"
          >
            {original.title}
          </AnchorLink>
        ),
      }),
      column.accessor('status', {
        header: t('field.state'),
        enableSorting: false,
        cell: ({ row: { original } }) => <PublicationBadge publication={original} />,
      }),
      column.accessor('page_count', {
        header: t('library.pages'),
        enableSorting: false,
        cell: ({ row: { original } }) => pagesOf(original, format.count),
      }),
      column.accessor('views', {
        header: t('figures.views'),
        enableSorting: false,
        cell: ({ row: { original } }) => format.count(original.views),
      }),
      column.accessor('size', {
        header: t('facts.size'),
        enableSorting: false,
        cell: ({ row: { original } }) => format.bytes(original.size),
      }),
      column.accessor('created_at', {
        id: 'created',
        header: t('field.created'),
        sortDescFirst: true,
        cell: ({ row: { original } }) => format.dateTime(original.created_at),
      }),
      column.accessor('updated_at', {
        id: 'updated',
        header: t('field.updated'),
        sortDescFirst: true,
        cell: ({ row: { original } }) => <Ago time={original.updated_at} />,
      }),
    ],
    [t, format],
  )
}

/** Returns the number of pages, and of the rendered ones while rendering. */
function pagesOf({ pages_ready: ready, page_count: all, status }: LibraryEntry, format: (count: number) => string) {
  return status === 'failed' || ready === all ? format(all) : `${format(ready)} / ${format(all)}`
}
