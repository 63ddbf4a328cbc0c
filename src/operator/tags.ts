/** The parts of the API by which operators sign in, with what holds for all of each. */
export const operatorTags = [
  {
    name: 'Signing in',
    description: `What the dashboard signs in with. A session is a cookie that no script can read; it ends 14 days after its last use,
90 days after it began, or when it is ended here. These addresses are for pages of this server alone: a change that
another site asks for is refused.`,
  },
  {
    name: 'Operators',
    description: 'The people who may sign in. All of them may do the same.',
  },
]

/** How the dashboard's requests are let in, for the description of the API. */
export const operatorSecurity = {
  Session: {
    type: 'apiKey' as const,
    in: 'cookie',
    name: 'trackpress_session',
    description: 'The cookie of a session; `__Host-trackpress_session` where the address is https.',
  },
}
