/** Sections of the API reference for workspaces and readers. */
export const publicationsTags = [
  {
    name: 'Uploads',
    description: `Uploading a PDF takes two steps: request an upload ticket with the workspace's API key, then send the file to
the ticket's address, which is signed and needs no key. A ticket allows one upload, which must begin within two hours. Send
the file as the raw body with \`Content-Type: application/pdf\`.`,
  },
  {
    name: 'Publications',
    description: `A publication is created from an uploaded file. Its slug identifies it and is part of its public address. An API
key belongs to a workspace, and can change only that workspace's publications; reading a publication needs no key. The rate
limit is 100 requests per second from one address, unless the operator has changed it.`,
  },
  {
    name: 'Publication webhooks',
    description: `A webhook is a URL of yours to which the server sends a \`POST\` when something happens, so that a program need not ask. The body is
\`{"type","timestamp","data"}\`; \`data\` is what the API answers for the same thing, and only its \`id\` when it was deleted.

Messages are signed as [Standard Webhooks](https://www.standardwebhooks.com) describe: verify \`webhook-signature\` with the webhook's
secret before you use a message. A status of 200 to 299 within 15 seconds accepts it. Otherwise it is sent again after 5 seconds,
1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours, 12 hours and 24 hours. A message may arrive twice, with the same \`webhook-id\`, and
messages may arrive in another order than they were written. An answer of 410 disables the webhook.

Types: \`publication.ready\`, \`publication.failed\`, \`publication.unpublished\`, \`publication.deleted\`. Webhooks belong to a workspace and need
a key with the permission \`publish\`.`,
  },
]

/** Sections of the API reference for operators. */
export const publicationsOperatorTags = [
  {
    name: 'Workspaces',
    description: `Workspaces and their API keys, for the dashboard. These endpoints require the session cookie of a signed-in
operator, and accept requests only from pages of this server.`,
  },
  {
    name: 'Library',
    description: `The publications of a workspace and their reading figures, for signed-in operators. A publication is identified
by its \`id\`, which never changes.`,
  },
]

/** Members that the service adds to problem documents. */
export const publicationsProblemMembers = {
  slug: { type: 'string', description: 'With 409 for an upload that is already published: its publication.' },
}
