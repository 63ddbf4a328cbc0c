import type { ErrorDefinition } from '#platform/basics/errors.ts'
import * as platformErrors from '#platform/basics/errors.ts'
import * as guardErrors from '#platform/credentials/operator-access.ts'
import * as bodyErrors from '#platform/http/body-limits.ts'
import { statusTitle } from '#platform/http/problem.ts'
import * as blobErrors from '#platform/http/ranges.ts'
import * as webhookErrors from '#platform/webhooks/webhook-scope.ts'
import * as mapErrors from '../../src/maps/errors.ts'
import * as operatorErrors from '../../src/operator/model/errors.ts'
import * as publicationsErrors from '../../src/publications/model/errors.ts'
import * as tracksErrors from '../../src/tracks/model/errors.ts'
import { errorAdvice } from './error-advice.ts'

/** Writes `docs/errors.md`: every code with its status, its messages, and what to do. */
export function errorsPage(parts: Record<string, ErrorDefinition[]>): string {
  const all = Object.values(parts).flat()
  const codes = [...new Set(all.map(({ code }) => code))].sort((a, b) => statusOf(a) - statusOf(b))

  function statusOf(code: string): number {
    return all.find((error) => error.code === code)!.status
  }

  function section(code: string): string {
    const words = Object.entries(parts).flatMap(([part, errors]) =>
      errors.filter((error) => error.code === code).map(({ message }) => `- ${message} (${part.toLowerCase()})`),
    )
    const status = statusOf(code)
    return `## ${code}

Status ${status} ${statusTitle(status)}. ${errorAdvice[code]}

${words.join('\n')}
`
  }

  return `# Errors

Every error is an RFC 9457 problem document with the type \`application/problem+json\`:

\`\`\`json
{
  "type": "about:blank",
  "title": "Not Found",
  "status": 404,
  "code": "NOT_FOUND",
  "detail": "Track not found.",
  "request_id": "0f6f4b0e-6d3a-4a55-9c39-0d3b7b1f9a52"
}
\`\`\`

Programs should use \`code\` or \`status\`; a code always has the same status. \`detail\` is for people, and its wording may
change. \`errors\` lists up to 20 problems with a body or query, each with a \`path\` (\`points/3/latitude\`) and a
\`message\`. \`request_id\` identifies the request in the server log.

For each code, this page gives the usual messages, the services that send them, and what to do. \`npm run docs\` writes it
from the definitions of the errors.

| Status | Code |
| --- | --- |
${codes.map((code) => `| ${statusOf(code)} | [${code}](#${code.toLowerCase()}) |`).join('\n')}

${codes.map(section).join('\n')}`
}

/** The files that define errors, by the service they belong to. */
export const errorModules: Record<string, { file: string; exports: object }[]> = {
  'Every service': [
    { file: 'src/platform/basics/errors.ts', exports: platformErrors },
    { file: 'src/platform/http/body-limits.ts', exports: bodyErrors },
    { file: 'src/platform/http/ranges.ts', exports: blobErrors },
    { file: 'src/platform/webhooks/webhook-scope.ts', exports: webhookErrors },
  ],
  'Track recording': [{ file: 'src/tracks/model/errors.ts', exports: tracksErrors }],
  Publication: [{ file: 'src/publications/model/errors.ts', exports: publicationsErrors }],
  'The dashboard': [
    { file: 'src/operator/model/errors.ts', exports: operatorErrors },
    { file: 'src/maps/errors.ts', exports: mapErrors },
    { file: 'src/platform/credentials/operator-access.ts', exports: guardErrors },
  ],
}

/** The errors of each service, sorted by status. */
export const definedErrors: Record<string, ErrorDefinition[]> = Object.fromEntries(
  Object.entries(errorModules).map(([part, modules]) => [
    part,
    modules
      .flatMap(({ exports }) => Object.values(exports).filter(isDefinition))
      .sort((a, b) => a.status - b.status || a.message.localeCompare(b.message)),
  ]),
)

function isDefinition(value: unknown): value is ErrorDefinition {
  return typeof value === 'function' && 'code' in value && 'status' in value
}
