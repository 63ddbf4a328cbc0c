import type { LoadedPages } from '../document/loaded-pages.ts'
import type { LoadedImages } from '../images/loaded-images.ts'
import type { PageLayout } from './page-layout.ts'
import { adjacentPage } from './spreads.ts'

type Deps = { pageCount: number; layout: PageLayout; pages: LoadedPages; images: LoadedImages }

/** Loads the pages before and after in advance, once the current ones have loaded. */
export async function prepareNeighbours({ pageCount, layout, pages, images }: Deps): Promise<void> {
  const shown = layout.shown()
  const neighbours = ([1, -1] as const)
    .map((by) => adjacentPage(shown, by, pageCount))
    .filter((page) => page !== undefined)
  for (const page of neighbours) pages.prefetch(page)
  if (!layout.isPaged()) return
  await images.loaded(shown.flatMap((page) => pages.section(page) ?? []))
  if (!layout.isPaged() || layout.shown()[0] !== shown[0]) return
  for (const neighbour of neighbours)
    for (const [page, width] of layout.widths(layout.shownWith(neighbour))) images.preload(pages.section(page)!, width)
}
