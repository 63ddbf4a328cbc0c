import { daysFrom } from '../domain/day.ts'
import type { FigureDay, ReadingFigures } from '../schemas/figures.ts'
import type { ReadingFigureRow } from '../storage/tables.ts'

/** Returns the figures of a period with every day; trailing pages without figures are left out. */
export function figuresJson(from: string, to: string, rows: readonly ReadingFigureRow[]): ReadingFigures {
  const byDay = Map.groupBy(rows, ({ day }) => day)
  return {
    from,
    to,
    days: daysFrom(from, to).map((day): FigureDay => ({ day, ...summed(byDay.get(day) ?? []) })),
    total: summed(rows),
  }
}

function summed(rows: readonly ReadingFigureRow[]) {
  const figures = { views: 0, readers: 0, downloads: 0, seconds: 0, pages: [] as number[] }
  for (const { kind, page, amount } of rows) {
    if (kind === 'page') addPage(figures.pages, page, amount)
    else figures[kind] += amount
  }
  return figures
}

function addPage(pages: number[], page: number, amount: number): void {
  while (pages.length < page) pages.push(0)
  pages[page - 1] += amount
}
