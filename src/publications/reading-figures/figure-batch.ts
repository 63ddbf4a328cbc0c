import type { FigureChanges } from '../storage/figures-store.ts'
import type { DayReaderRow, ReadingFigureRow } from '../storage/tables.ts'

export type FigureKind = 'views' | 'downloads' | 'seconds' | 'page'

/** Figures that are added up before they are stored together. */
export class FigureBatch {
  readonly #figures = new Map<string, ReadingFigureRow>()
  readonly #readers = new Map<string, DayReaderRow>()

  /** How many rows it would write. */
  get size(): number {
    return this.#figures.size + this.#readers.size
  }

  /** `page` is 0 for what is not about a page. */
  add(publicationId: string, kind: FigureKind, page: number, day: string, amount: number): void {
    this.#addRow({ publication_id: publicationId, kind, page, day, amount })
  }

  addReader(publicationId: string, day: string, reader: string): void {
    this.#readers.set(`${publicationId} ${day} ${reader}`, { publication_id: publicationId, day, reader })
  }

  /** Takes back what could not be stored. */
  addAll({ figures, readers }: FigureChanges): void {
    for (const row of figures) this.#addRow(row)
    for (const { publication_id, day, reader } of readers) this.addReader(publication_id, day, reader)
  }

  /** Empties it. */
  take(): FigureChanges {
    const changes = { figures: [...this.#figures.values()], readers: [...this.#readers.values()] }
    this.#figures.clear()
    this.#readers.clear()
    return changes
  }

  #addRow(row: ReadingFigureRow): void {
    const key = `${row.publication_id} ${row.kind} ${row.page} ${row.day}`
    const amount = (this.#figures.get(key)?.amount ?? 0) + row.amount
    this.#figures.set(key, { ...row, amount })
  }
}
