import type { FigureChanges } from '../storage/figures-store.ts'
import type { DayReaderRow, FigureKind, ReadingFigureRow } from '../storage/tables.ts'

/** Figures that are summed up in memory and stored together. */
export class FigureBatch {
  readonly #figures = new Map<string, ReadingFigureRow>()
  readonly #readers = new Map<string, DayReaderRow>()

  /** The number of rows to be written. */
  get size(): number {
    return this.#figures.size + this.#readers.size
  }

  /** Adds to a figure; `page` is 0 except for the kind `page`. */
  add(publicationId: string, kind: Exclude<FigureKind, 'readers'>, page: number, day: string, amount: number): void {
    this.#addRow({ publication_id: publicationId, kind, page, day, amount })
  }

  addReader(publicationId: string, day: string, reader: string): void {
    this.#readers.set(`${publicationId} ${day} ${reader}`, { publication_id: publicationId, day, reader })
  }

  /** Adds changes that could not be stored. */
  addAll({ figures, readers }: FigureChanges): void {
    for (const row of figures) this.#addRow(row)
    for (const { publication_id, day, reader } of readers) this.addReader(publication_id, day, reader)
  }

  /** Returns all changes and empties the batch. */
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
