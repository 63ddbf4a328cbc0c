/** Conventions of every operation of every service, as Markdown with a heading for each subject. */
export const API_CONVENTIONS = `
## Authentication

Send the token as \`X-API-Key: <token>\` or \`Authorization: Bearer <token>\`. If a request has both headers,
\`X-API-Key\` counts. A missing, invalid or expired token gets 401.

Each operation needs one permission. A token without it gets 403, and \`detail\` names the permission.

The examples expect the token in \`TOKEN\`:

\`\`\`
export TOKEN=…
\`\`\`

## Bodies

Bodies are JSON in UTF-8 with \`Content-Type: application/json\`. A request body may be compressed with gzip or zstd and
the matching \`Content-Encoding\`. Responses are compressed according to \`Accept-Encoding\`.

Unknown fields are ignored. \`null\` for an optional field means that it is not given. Types are strict: \`"48.85"\` is
not a number. Text is stored exactly as sent, and lengths count characters (code points).

Times are RFC 3339 date-times; a time without an offset is UTC. Responses give times in UTC with milliseconds.

## Errors

An error is a [problem](#object-problem) (RFC 9457, \`application/problem+json\`). Programs decide by \`status\` and
\`code\`; \`detail\` is for people. If fields are not valid, \`errors\` lists each with its path, such as
\`points/3/latitude\`.

## Rate limits

Requests are counted per token and client address over any one second. Every response carries \`RateLimit-Limit\`
(requests per second), \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds until the full allowance is back).
Beyond the limit the response is 429 with \`Retry-After\` in seconds. If the operator has turned the limit off, these
headers are absent.

## Idempotency

Operations that create something accept an \`Idempotency-Key\` of 1 to 255 characters; use a new random key for each
thing you create. For 24 hours, the same key with the same body returns the first response again, with the header
\`Idempotency-Replayed: true\`. The same key with another body gets 422, and after what it
created was deleted, 410. Only successes are remembered, so you can retry a
failed request with its key.

## Request ids

Every response carries \`X-Request-Id\`, which finds the request in the server log. To choose the id, send the header with
8 to 100 letters, digits, \`_\`, \`.\`, \`:\` or \`-\`.

## Answers of others

Every response of the service carries \`Trackpress-Api: 1\`. Captive portals and proxies answer too, some of them 200 or 204
to every request. Before a client deletes, drops or holds back data because of a response, it makes sure that the header
is there. Without it, the request counts as lost.
`.trim()
