import { STATUS_CODES } from 'node:http'
import type { ErrorDefinition } from '#platform/errors.ts'
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

Status ${status} ${STATUS_CODES[status]}. ${errorAdvice[code]}

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
