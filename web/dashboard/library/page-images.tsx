import { Button, Group, Modal, Stack, Text, UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronLeft, ChevronRight, FileClock, FileX } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperatorPage } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import './page-images.css'

type PageImageProps = { address: string; alt: string; isThere: boolean; eager?: boolean }

/**
 * The image of a page, scaled to fit its frame. Images that are not rendered yet are not requested, because the server
 * would hold the response and a browser has only six connections.
 */
export function PageImage({ address, alt, isThere, eager = false }: PageImageProps) {
  const [failed, setFailed] = useState<string>()
  if (!isThere || failed === address) {
    const Icon = isThere ? FileX : FileClock
    return (
      <span className="page-image" role="img" aria-label={alt}>
        <Icon size={28} aria-hidden />
      </span>
    )
  }
  return (
    <span className="page-image">
      <img
        key={address}
        src={address}
        alt={alt}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        onError={() => setFailed(address)}
      />
    </span>
  )
}

type PagePreviewProps = {
  pages: OperatorPage[]
  page: number | undefined
  onPage(page: number | undefined): void
}

/** One page in large, with its state. */
export function PagePreview({ pages, page, onPage }: PagePreviewProps) {
  const { t } = useTranslation()
  const words = usePageName()
  const shown = page === undefined ? undefined : pages[page - 1]
  return (
    <Modal
      opened={shown !== undefined}
      onClose={() => onPage(undefined)}
      title={shown && words(shown)}
      size="xl"
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {shown !== undefined && (
        <Stack>
          <div className="page-preview">
            <PageImage address={shown.image} alt={words(shown)} isThere={shown.state !== 'waiting'} eager />
          </div>
          <Text size="sm" role="status">
            <PageState page={shown} />
          </Text>
          {pages.length > 1 && (
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Button
                px="sm"
                variant="default"
                leftSection={<ChevronLeft size={16} aria-hidden />}
                disabled={shown.page === 1}
                onClick={() => onPage(shown.page - 1)}
              >
                {t('pages.before')}
              </Button>
              <Button
                px="sm"
                variant="default"
                rightSection={<ChevronRight size={16} aria-hidden />}
                disabled={shown.page === pages.length}
                onClick={() => onPage(shown.page + 1)}
              >
                {t('pages.next')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Modal>
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

const HEIGHT_PX = 220
const GAP_PX = 12

type PageStripProps = { pages: OperatorPage[]; onPage(page: number): void }

/** The pages in a row, each in its own proportions. Only the visible ones are in the DOM. */
export function PageStrip({ pages, onPage }: PageStripProps) {
  const { t } = useTranslation()
  const words = usePageName()
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: pages.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widthOf(pages[index]) + GAP_PX,
    overscan: 4,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <section ref={scroller} className="page-strip" aria-label={t('pages.title')} tabIndex={0}>
      <ul style={{ width: virtualizer.getTotalSize(), height: HEIGHT_PX + 28 }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const page = pages[index]
          return (
            <li
              key={page.page}
              aria-setsize={pages.length}
              aria-posinset={page.page}
              style={{ width: widthOf(page), transform: `translateX(${start}px)` }}
            >
              <UnstyledButton
                className="page-strip-page"
                aria-label={t('pages.show', { page: words(page) })}
                onClick={() => onPage(page.page)}
              >
                <span className="page-strip-image" style={{ height: HEIGHT_PX }}>
                  <PageImage address={page.thumbnail} alt="" isThere={page.state !== 'waiting'} />
                </span>
                <Text size="xs" ta="center" c="dimmed" className="figures" component="span" display="block">
                  {page.label ?? page.page}
                </Text>
              </UnstyledButton>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function widthOf({ width, height }: OperatorPage): number {
  return Math.min(480, Math.max(60, Math.round((HEIGHT_PX * width) / height)))
}

/** Returns a function that names a page by its number and by the document's own page label. */
function usePageName(): (page: OperatorPage) => string {
  const { t } = useTranslation()
  return ({ page, label }) => (label === null ? t('pages.page', { page }) : t('pages.pageCalled', { page, label }))
}
