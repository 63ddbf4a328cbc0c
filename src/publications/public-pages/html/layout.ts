import type { PublicPageView } from './page-view.ts'

/** How pages are laid out: upright ones in a column to read, wide ones, such as slides, in a wider one. */
export type Layout = { name: 'upright' | 'wide'; sizes: string }

/**
 * How the pages of a document are laid out, with the `sizes` that tell a browser which image fits before there is any
 * layout. The widths are those of the stylesheet.
 */
export function layoutOf({ pages, outline, form }: Pick<PublicPageView, 'pages' | 'outline' | 'form'>): Layout {
  const [first] = pages
  const isWide = first !== undefined && first.width > 1.1 * first.height
  const column = isWide ? '70rem' : '50rem'
  const beside = outline.length > 0 && form === 'page'
  // From 64rem on the outline stands beside the pages, and takes 21.25rem with what is around it.
  const narrowed = isWide ? '91.25rem' : '71.25rem'
  const steps = beside
    ? [
        `(min-width: ${narrowed}) ${column}`,
        '(min-width: 64rem) calc(100vw - 21.25rem)',
        ...(isWide ? [] : ['(min-width: 50rem) 50rem']),
      ]
    : [`(min-width: ${column}) ${column}`]
  return { name: isWide ? 'wide' : 'upright', sizes: [...steps, '100vw'].join(', ') }
}
