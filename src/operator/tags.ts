/** Groups of the operators' API, each with the rules for all of its routes. */
export const operatorTags = [
  {
    name: 'Signing in',
    description: `Sign-in for the dashboard. A session is a cookie that scripts cannot read. It ends 14 days after its last use, 90 days
after it began, or when it is ended here. Only pages of this server can use these routes: cross-site changes are refused.`,
  },
  {
    name: 'Operators',
    description: 'The people who can sign in. All operators have the same rights.',
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
  fault: { type: 'string', description: 'With 422 for a map file: the kind of its fault.' },
}
