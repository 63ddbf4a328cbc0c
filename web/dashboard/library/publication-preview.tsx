import { ActionIcon, Group, Paper, Stack, Text } from '@mantine/core'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { firstViewOf } from '../../../src/publications/model/fields.ts'
import type { OperatorPage, OperatorPublication } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { PageImage, PageStrip, usePageName } from './page-images.tsx'
import { type EditedValues, FIRST_VIEWS } from './publication-edit.tsx'

type PublicationPreviewProps = {
  publication: OperatorPublication
  /** The statements as they are being edited. */
  values: EditedValues
  pages: OperatorPage[]
  page: number
  onPage(page: number): void
}

/** A publication as readers begin to see it: its pages in the first view, its title, author and address. */
export function PublicationPreview({ publication, values, pages, page, onPage }: PublicationPreviewProps) {
  const { t } = useTranslation()
  const { title, author, slug, firstView } = values
  const sizes = pages.map(({ width, height }) => ({ widthPt: width, heightPt: height }))
  const view = firstViewOf(FIRST_VIEWS.find((one) => one === firstView) ?? null, sizes)
  const shown = view === 'book' ? openedAt(pages, page) : pages.slice(page - 1, page)
  const start = publication.public_url.slice(0, publication.public_url.length - publication.slug.length)
  return (
    <Paper
      component="figure"
      withBorder
      m={0}
      style={{ overflow: 'hidden' }}
      bg="var(--panel-background)"
      aria-label={t('pages.preview')}
    >
      <div className="preview-pages">
        {shown.map((one) => (
          <ShownPage key={one.page} page={one} />
        ))}
      </div>
      <Stack gap="xs" p="sm">
        <PageTurning pages={pages} shown={shown} onPage={onPage} />
        <figcaption className="preview-caption">
          <Text fw={600}>{title.trim() || publication.title}</Text>
          {author.trim() !== '' && <Text size="sm">{author.trim()}</Text>}
          <Text size="xs" c="dimmed">
            {start}
            {slug.trim()}
          </Text>
          <Text size="xs" c="dimmed">
            {t('pages.firstView', { view: t(`publication.view.${view}`) })}
          </Text>
        </figcaption>
      </Stack>
      {pages.length > 1 && <PageStrip pages={pages} page={shown[0]?.page ?? 1} onPage={onPage} />}
    </Paper>
  )
}

/** Returns the pages that a book shows when it is opened at a page: its cover, or two. */
function openedAt(pages: OperatorPage[], page: number): OperatorPage[] {
  if (page === 1) return pages.slice(0, 1)
  const left = page - (page % 2)
  return pages.slice(left - 1, left + 1)
}

function ShownPage({ page }: { page: OperatorPage }) {
  const words = usePageName()
  return <PageImage address={page.image} alt={words(page)} isThere={page.state !== 'waiting'} eager />
}

type PageTurningProps = { pages: OperatorPage[]; shown: OperatorPage[]; onPage(page: number): void }

/** Says which page is shown and what is known of it, and turns to the one before and the next. */
function PageTurning({ pages, shown, onPage }: PageTurningProps) {
  const { t } = useTranslation()
  const words = usePageName()
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) return null
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('pages.before')}
        disabled={first.page === 1}
        onClick={() => onPage(first.page - 1)}
      >
        <ChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <div role="status">
        {shown.map((page) => (
          <Text key={page.page} size="sm" ta="center">
            {words(page)}
            {' · '}
            <PageState page={page} />
          </Text>
        ))}
      </div>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={t('pages.next')}
        disabled={last.page === pages.length}
        onClick={() => onPage(last.page + 1)}
      >
        <ChevronRight size={18} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

function PageState({ page: { state, text_length: length } }: { page: OperatorPage }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (state === 'waiting') return t('pages.waiting')
  if (state === 'failed') return t('pages.failed')
  if (length === null || length === 0) return t('pages.noText')
  return t('pages.text', { count: length, figure: format.count(length) })
}
