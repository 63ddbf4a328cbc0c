/** The parts of the service's API, with what holds for all of each. */
export const publicationsTags = [
  {
    name: 'Uploads',
    description: `A PDF is sent in two steps: an upload ticket is asked for with the workspace's API key, and the file is
sent to the ticket's address, which is signed and needs no key. A ticket is good for one upload, which has to begin
within two hours. The file is sent as the raw body with \`Content-Type: application/pdf\`.`,
  },
  {
    name: 'Publications',
    description: `A publication is made from an uploaded file and is known by its slug, from which its public address is
built. An API key belongs to a workspace, and changes the publications of that workspace alone; reading a publication
needs no key. The allowance is 100 requests a second for one address unless the operator has set another.`,
  },
]

/** The parts that only operators use. */
export const publicationsOperatorTags = [
  {
    name: 'Workspaces',
    description: `Workspaces with their API keys, for the dashboard: these addresses are for signed-in operators, by the cookie of
their session, and for pages of this server alone.`,
  },
  {
    name: 'Library',
    description: `The publications of a workspace and how they are read, for signed-in operators like the workspaces. A publication
is named by its \`id\`, which never changes.`,
  },
]

/** What the service adds to problem documents. */
export const publicationsProblemMembers = {
  slug: { type: 'string', description: 'With 409 for an upload that is already published: its publication.' },
}
