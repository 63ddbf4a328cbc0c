import { type Figure, keepsGoal, type RunResult } from './figure.ts'
import { FINDINGS } from './findings.ts'
import { formatGoal, subjectOf, withUnit } from './format.ts'
import { METHOD } from './method.ts'

/** Titles of the parts by name. */
export type Titles = ReadonlyMap<string, string>

/** Formats a run as a page of the documentation: what is below target, a table for each part, and the method. */
export function performancePage(run: RunResult, titles: Titles): string {
  const parts = [...new Set(run.results.map(({ part }) => part))]
  return `# Performance

\`npm run bench\` writes this page, and the same as data to \`docs/performance.json\`; \`npm run bench -- --compare\` prints two runs
side by side. It takes about an hour.

${run.machine.map((line) => `- ${line}`).join('\n')}

${belowTarget(run, titles)}

${parts.map((part) => partSection(run, part, titles.get(part) ?? part)).join('\n\n')}

${FINDINGS}
${METHOD}`
}

function belowTarget({ results, failures }: RunResult, titles: Titles): string {
  const missed = results.flatMap(({ part, engine, figures }) =>
    figures.filter((figure) => !keepsGoal(figure)).map((figure) => ({ part, engine, figure })),
  )
  const withGoal = results.flatMap(({ figures }) => figures.filter(({ goal }) => goal !== undefined))
  const lines = missed.map(({ part, engine, figure }) => {
    const { value, unit, goal } = figure
    return `- ${titles.get(part) ?? part}, ${engine}: ${subjectOf(figure)} ${withUnit(value, unit)}, ${formatGoal(goal, unit)}.`
  })
  const failed = failures.map(
    ({ part, engine, reason }) => `- ${titles.get(part) ?? part}, ${engine}: not measured, because of ${reason}.`,
  )
  const summary = `${withGoal.length - missed.length} of ${withGoal.length} figures with a target keep it.`
  return [
    '## Below target',
    '',
    summary,
    ...(lines.length + failed.length === 0 ? [] : ['', ...lines, ...failed]),
  ].join('\n')
}

function partSection({ results }: RunResult, part: string, title: string): string {
  const sections = results
    .filter((result) => result.part === part)
    .map(({ engine, figures }) => {
      const plain = figures.filter(({ at }) => at === undefined)
      const tables = [...(plain.length === 0 ? [] : [figureTable(plain)]), ...curveTable(figures)]
      return `### ${engine}\n\n${tables.join('\n\n')}`
    })
  return `## ${title}\n\n${sections.join('\n\n')}`
}

function figureTable(figures: readonly Figure[]): string {
  return [
    '| | measured | target | beside |',
    '|---|---|---|---|',
    ...figures.map((figure) => {
      const { what, value, unit, goal, beside = '' } = figure
      const measured = withUnit(value, unit)
      return `| ${what} | ${keepsGoal(figure) ? measured : `**${measured}**`} | ${formatGoal(goal, unit)} | ${beside} |`
    }),
  ].join('\n')
}

/** Formats growth curves that share their sizes as tables: one row for each curve, one column for each size. */
function curveTable(figures: readonly Figure[]): string[] {
  const curves = [
    ...Map.groupBy(
      figures.filter(({ at }) => at !== undefined),
      ({ what }) => what,
    ),
  ]
  const sizesOf = (curve: readonly Figure[]) => curve.map(({ at }) => at!.toLocaleString('en'))
  const bySizes = Map.groupBy(curves, ([, curve]) => sizesOf(curve).join(' | '))
  return [...bySizes].map(([sizes, sharing]) =>
    [
      `| | ${sizes} | target |`,
      `|---|${'---|'.repeat(sizesOf(sharing[0][1]).length + 1)}`,
      ...sharing.map(([what, curve]) => {
        const cells = curve.map((figure) => {
          const measured = withUnit(figure.value, figure.unit)
          return keepsGoal(figure) ? measured : `**${measured}**`
        })
        const { goal, unit } = curve.find((figure) => figure.goal !== undefined) ?? curve[0]
        return `| ${what} | ${cells.join(' | ')} | ${formatGoal(goal, unit)} |`
      }),
    ].join('\n'),
  )
}
