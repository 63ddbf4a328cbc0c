import type { Engine } from '../program/engine.ts'
import type { Figure } from '../report/figure.ts'

/** Sizes and durations of a run. */
export type Effort = {
  /** Repetitions of single requests. */
  rounds: number
  /** Repetitions of a load, and the length of each. */
  loadRounds: number
  loadMs: number
  diskTracks: number
  memoryPoints: number
  /** Largest sizes of the growth curves. */
  growth: { tracks: number; points: number; spectators: number; publications: number }
}

/** Everything that a part measures with. */
export type Bench = {
  engine: Engine
  effort: Effort
  /** A temporary folder. */
  folder: string
  /** Documents to publish. */
  pdfs: readonly string[]
}

/** A part of the benchmark, which `--only` selects by its name. It starts and stops its own servers. */
export type Part = {
  name: string
  /** Title in the report. */
  title: string
  /** Parts whose figures do not depend on the database are measured on SQLite only. */
  engines: 'both' | 'SQLite'
  measure(bench: Bench): AsyncGenerator<Figure[]>
}
