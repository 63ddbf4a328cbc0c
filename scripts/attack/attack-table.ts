import type { AttackResult } from './run-attacks.ts'

/** Writes the results as a table by file: each attack, its outcome, and its figures or the reason of its failure. */
export function attackTable(results: readonly AttackResult[]): string {
  const lines: string[] = []
  for (const [file, attacks] of Map.groupBy(results, (result) => result.file)) {
    lines.push('', file)
    for (const { name, isHeld, figures, failure } of attacks) {
      lines.push(`  ${isHeld ? 'held        ' : 'did not hold'}  ${name}`)
      for (const line of details(figures, failure)) lines.push(`                ${line}`)
    }
  }
  const failed = results.filter(({ isHeld }) => !isHeld).length
  return `${lines.join('\n')}\n\n${results.length} attacks: ${results.length - failed} held, ${failed} did not hold\n`
}

function details(figures: string, failure: string | undefined): string[] {
  const own = figures === '' ? [] : figures.split('; ')
  return failure === undefined ? own : [...own, ...failure.trim().split('\n')]
}
