import { Group, Paper, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LibraryEntry } from '../../api/publications.ts'
import { useFormat } from '../../i18n/format.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'
import { PageImage } from '../../publications/page-image.tsx'
import { PublicationBadge } from '../../publications/publication-badge.tsx'
import { isRendering } from '../../publications/publication-state.ts'
import { RenderingProgress } from '../../publications/rendering-progress.tsx'

/** A publication as a card with its cover. */
export function LibraryCard({ entry }: { entry: LibraryEntry }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Paper withBorder className="library-card" bg="var(--panel-background)">
      <div className="library-card-cover" aria-hidden>
        <PageImage address={entry.cover} alt="" isThere={entry.pages_ready > 0} />
      </div>
      <div className="library-card-text">
        <AnchorLink
          to={paths.publication}
          params={{ publicationId: entry.id }}
          className="library-card-link"
          size="sm"
          fw={600}
          lineClamp={2}
          style={{ overflowWrap: 'anywhere' }}
        >
          {entry.title}
        </AnchorLink>
        {isRendering(entry) ? (
          <RenderingProgress publication={entry} />
        ) : (
          <Text size="xs" c="dimmed" className="figures">
            {t('publication.pages', { count: entry.page_count, figure: format.count(entry.page_count) })}
            {' · '}
            {t('publication.views', { count: entry.views, figure: format.count(entry.views) })}
          </Text>
        )}
        <Group justify="space-between" gap="0 8px">
          <PublicationBadge publication={entry} />
          <Text size="xs" c="dimmed">
            {format.date(entry.created_at)}
          </Text>
        </Group>
      </div>
    </Paper>
  )
}
