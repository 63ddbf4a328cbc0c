import { needsConfirmation } from '#platform/credentials/operator-access.ts'
import type { AccessRules, OperatorRule } from '#platform/credentials/operator-rule.ts'

/**
 * Writes `docs/access.md`: the role and the confirmation that each operation needs.
 * @param access rules by part of the program
 * @param summaries of the operations, by operationId
 */
export function accessPage(access: Record<string, AccessRules>, summaries: ReadonlyMap<string, string>): string {
  const row = ([operationId, rule]: [string, OperatorRule]) =>
    `| ${summaries.get(operationId)} | \`${operationId}\` | ${roleOf(rule)} | ${confirmationOf(rule)} |`
  const section = ([resource, rules]: [string, Readonly<Record<string, OperatorRule>>]) =>
    `### ${resource}\n\n| | Operation | Role | Confirmation |\n| --- | --- | --- | --- |\n${Object.entries(rules).map(row).join('\n')}\n`
  const part = ([title, rules]: [string, AccessRules]) =>
    `## ${title}\n\n${Object.entries(rules).map(section).join('\n')}`

  return `# Access of operators

The lowest role that may use each operation of the API for operators. An editor may do what a viewer may, and an owner
everything. "Of everything" excludes operators who are limited to some events or workspaces. An operation outside an
operator's reach answers 404, as if the thing did not exist.

A confirmation is recent for ten minutes, and for a release of a document and the codes of participants for twelve hours. [Operators](operators.md)
explains roles and confirmations. \`npm run docs\` writes this page from the rules that the server applies.

${Object.entries(access).map(part).join('\n')}`
}

function roleOf({ role, reach }: OperatorRule): string {
  return reach === undefined ? role : `${role}, of everything`
}

function confirmationOf({ effect, also = [] }: OperatorRule): string {
  if (needsConfirmation(effect)) return `yes: it ${effect}`
  const sometimes = also.filter(needsConfirmation)
  return sometimes.length === 0 ? '' : `if it ${sometimes.join(' or ')}`
}
