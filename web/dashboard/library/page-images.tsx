import { Text, UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { FileClock, FileX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperatorPage } from '../generated/types.gen.ts'
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
      <span className="page-image" {...(alt !== '' && { role: 'img', 'aria-label': alt })}>
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

const HEIGHT_PX = 96
const GAP_PX = 10

type PageStripProps = { pages: OperatorPage[]; page: number; onPage(page: number): void }

/** The pages in a row, each in its own proportions. Only the visible ones are in the DOM. */
export function PageStrip({ pages, page: shown, onPage }: PageStripProps) {
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
  useEffect(() => virtualizer.scrollToIndex(shown - 1), [virtualizer, shown])
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
                aria-current={page.page === shown}
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
  return Math.min(200, Math.max(44, Math.round((HEIGHT_PX * width) / height)))
}

/** Returns a function that names a page by its number and by the document's own page label. */
export function usePageName(): (page: OperatorPage) => string {
  const { t } = useTranslation()
  return ({ page, label }) => (label === null ? t('pages.page', { page }) : t('pages.pageCalled', { page, label }))
}
