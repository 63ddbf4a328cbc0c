import { Text, UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperatorPage } from '../../api/publications.ts'
import { PageImage } from '../../publications/page-image.tsx'
import './page-strip.css'
import { usePageName } from './use-page-name.ts'

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
