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

/** The columns of a library; those that it can be sorted by are named as the server names the order. */
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

/** How many there are, and while they are rendered how many of them are. */
function pagesOf({ pages_ready: ready, page_count: all, status }: LibraryEntry, format: (count: number) => string) {
  return status === 'failed' || ready === all ? format(all) : `${format(ready)} / ${format(all)}`
}
