import type { PublicPageView } from './page-view.ts'

/** The layout of pages: upright ones in a reading column, wide ones, such as slides, in a wider one. */
export type Layout = { name: 'upright' | 'wide'; sizes: string }

/**
 * Chooses the layout of a document, with the `sizes` from which browsers choose an image before layout. The widths are
 * those of the stylesheet.
 */
export function layoutOf({ pages, outline, form }: Pick<PublicPageView, 'pages' | 'outline' | 'form'>): Layout {
  const [first] = pages
  const isWide = first !== undefined && first.width > 1.1 * first.height
  const column = isWide ? '70rem' : '50rem'
  const hasOutline = outline.length > 0 && form === 'page'
  // From 64rem on, the outline is at the side of the pages and takes 21.25rem with its margins.
  const narrowed = isWide ? '91.25rem' : '71.25rem'
  const steps = hasOutline
    ? [
        `(min-width: ${narrowed}) ${column}`,
        '(min-width: 64rem) calc(100vw - 21.25rem)',
        ...(isWide ? [] : ['(min-width: 50rem) 50rem']),
      ]
    : [`(min-width: ${column}) ${column}`]
  return { name: isWide ? 'wide' : 'upright', sizes: [...steps, '100vw'].join(', ') }
}
