import type { Figure, RunResult } from './figure.ts'
import { formatGoal, subjectOf, withUnit } from './format.ts'

/** A figure of two runs; a value is undefined where a run does not have it. */
export type Compared = { part: string; engine: string; before: Figure | undefined; after: Figure | undefined }

/**
 * Pairs the figures of two runs by part, engine and subject, in the order of the
 * later run; what only the first has is last.
 */
export function pairFigures(before: RunResult, after: RunResult): Compared[] {
  const earlier = figuresOf(before)
  const later = figuresOf(after)
  const pairs = [...later].map(([key, { part, engine, figure }]) => {
    return { part, engine, before: earlier.get(key)?.figure, after: figure as Figure | undefined }
  })
  const gone = [...earlier].filter(([key]) => !later.has(key))
  return [...pairs, ...gone.map(([, { part, engine, figure }]) => ({ part, engine, before: figure, after: undefined }))]
}

/** Formats two runs side by side, as Markdown. */
export function compareMarkdown(before: RunResult, after: RunResult): string {
  const sections = Map.groupBy(pairFigures(before, after), ({ part, engine }) => `${part}, ${engine}`)
  const tables = [...sections].map(([title, pairs]) =>
    [
      `## ${title}`,
      '',
      '| | before | after | after / before | target |',
      '|---|---|---|---|---|',
      ...pairs.map(compareRow),
    ].join('\n'),
  )
  return `# ${before.commit} (${before.date}) and ${after.commit} (${after.date})\n\n${tables.join('\n\n')}\n`
}

function compareRow({ before, after }: Compared): string {
  const { unit, goal } = (after ?? before)!
  const cell = (figure: Figure | undefined) => (figure === undefined ? 'not measured' : withUnit(figure.value, unit))
  const ratio =
    before === undefined || after === undefined || before.value === 0 ? '' : (after.value / before.value).toFixed(2)
  return `| ${subjectOf((after ?? before)!)} | ${cell(before)} | ${cell(after)} | ${ratio} | ${formatGoal(goal, unit)} |`
}

function figuresOf(run: RunResult) {
  return new Map(
    run.results.flatMap(({ part, engine, figures }) =>
      figures.map((figure) => [`${part} ${engine} ${subjectOf(figure)}`, { part, engine, figure }] as const),
    ),
  )
}
