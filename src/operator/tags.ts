/** Groups of the operators' API, each with the rules for all of its routes. */
export const operatorTags = [
  {
    name: 'Signing in',
    description: `Sign-in for the dashboard. A session is a cookie that scripts cannot read. It ends 14 days after its last use, 90 days
after it began, or when it is ended here. Only pages of this server can use these routes: cross-site changes are refused.`,
  },
  {
    name: 'Second factors',
    description: `Every operator can set up an authenticator app and add passkeys. From then on, a password alone does not sign in. Recovery codes
replace a lost device, each once.`,
  },
  {
    name: 'Operators',
    description: `The people who can sign in, each with a role: \`viewer\`, \`editor\` or \`owner\`. Viewers and editors can be limited to
some events and workspaces; all others look to them as though they did not exist. A route names the role that it needs. With
a lesser one, it answers 403 \`INSUFFICIENT_ROLE\`, and \`needed_role\` says which it takes. Some routes also ask, after ten
minutes, for a confirmation: 403 \`CONFIRMATION_REQUIRED\`.`,
  },
  {
    name: 'Audit log',
    description:
      'Who did what, to which thing and from where. A record is written before the change that it is about, and nobody can change it here.',
  },
  {
    name: 'Map',
    description: 'The map of all pages: outlines, a map file that this server delivers, or the style of a provider.',
  },
]

/** Authentication of the dashboard's requests, for the API description. */
export const operatorSecurity = {
  Session: {
    type: 'apiKey' as const,
    in: 'cookie',
    name: 'trackpress_session',
    description: 'The cookie of a session; `__Host-trackpress_session` over https.',
  },
}

/** Members that the service adds to problem documents. */
export const operatorProblemMembers = {
  needed_role: { type: 'string', description: 'With `INSUFFICIENT_ROLE`: the role that the request needs.' },
  fault: { type: 'string', description: 'With 422 for a map file: the kind of its fault.' },
}
