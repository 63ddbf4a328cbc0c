/**
 * What holds for every operation of every service, for the API description: Markdown with a heading for each matter.
 * Figures that belong to one service stand with that service.
 */
export const API_CONVENTIONS = `
## Authentication

Every operation takes a token, in the header \`X-API-Key\` or as \`Authorization: Bearer\`. Where both are sent,
\`X-API-Key\` counts. A missing, wrong or ended token is answered with 401.

In the examples \`TOKEN\` holds the token:

\`\`\`
export TOKEN=…
\`\`\`

## Bodies

JSON in UTF-8, with \`Content-Type: application/json\`. A body may be compressed with gzip or zstd, which
\`Content-Encoding\` says; answers are compressed as \`Accept-Encoding\` asks.

Fields that are not known are ignored, and \`null\` for an optional field means that it is not given. Types are taken
strictly: \`"48.85"\` is not a number. Text is kept exactly as it is sent, and lengths count characters (code points).

Times are RFC 3339 date-times; without an offset they are UTC. Answers have them in UTC with milliseconds.

## Errors

An error is a [problem](#object-problem) (RFC 9457, \`application/problem+json\`). A program decides by \`status\` and
\`code\`, a person reads \`detail\`. What is wrong with a body is listed in \`errors\`, each with its place, such as
\`points/3/latitude\`.

## Rate limits

A token has an allowance for each client address, counted over any one second. Every answer says how it stands:
\`RateLimit-Limit\` (requests a second), \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds until all of it is
back). Beyond it the answer is 429, and \`Retry-After\` says how many seconds to wait. Where an operator has turned the
limit off, the headers are absent.

## Idempotency

An operation that creates something takes an \`Idempotency-Key\` of 1 to 255 characters, best a random one for each
thing to create. The same key with the same body gets the first answer again for 24 hours, with the header
\`Idempotency-Replayed: true\`; with another body it is refused with 422. Only successes are remembered, so a request
that failed can be sent again with its key.

## Request ids

Every answer carries \`X-Request-Id\`, which finds the request in the log of the server. A client that sends this header
with 8 to 100 letters, digits, \`_\`, \`.\`, \`:\` or \`-\` chooses the id itself.
`.trim()
