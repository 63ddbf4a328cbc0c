import Type, { type Static } from 'typebox'
import { OPERATOR_ROLES, type OperatorRole } from '#platform/credentials/operator-access.ts'
import { nullable } from '#platform/http/field-rules.ts'
import { MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, OPERATOR_NAME_PATTERN } from './sign-in-rules.ts'

const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const MOMENT = '2026-05-03T06:15:00.000Z'

const id = (description: string) => Type.String({ format: 'uuid', description, examples: [ID] })
const moment = (description: string) => Type.String({ format: 'date-time', description, examples: [MOMENT] })
const newPassword = Type.String({
  minLength: MIN_PASSWORD_LENGTH,
  maxLength: MAX_PASSWORD_LENGTH,
  description: 'Any characters. Refused if it is easy to guess.',
  examples: ['a quiet lake at dawn'],
})
const givenPassword = Type.String({ maxLength: MAX_PASSWORD_LENGTH, examples: ['a quiet lake at dawn'] })

export const SignIn = Type.Object(
  { name: Type.String({ maxLength: MAX_NAME_LENGTH, examples: ['operator'] }), password: givenPassword },
  { title: 'SessionCreate', description: 'A name, case-insensitive, and its password.' },
)

const linkToken = Type.String({
  maxLength: 200,
  description: 'The text after `#token=` in the link.',
  examples: ['lnk_bGlua3MgYXJlIG9mIHVzZSBvbmNlIGFuZCBubyBtb3Jl'],
})

export const SignInLinkCheck = Type.Object(
  { token: linkToken },
  { title: 'SignInLinkCheck', description: 'The token of a sign-in link.' },
)

export const SignInLinkOwner = Type.Object(
  { name: Type.String({ description: 'The name to sign in with.', examples: ['operator'] }) },
  { title: 'SignInLinkOwner', description: 'The operator whose link it is.' },
)
export type SignInLinkOwner = Static<typeof SignInLinkOwner>

export const SignInLinkRedeem = Type.Object(
  {
    token: linkToken,
    password: newPassword,
  },
  { title: 'SignInLinkRedeem', description: 'The token of a sign-in link, and the password to set.' },
)

export const PasswordUpdate = Type.Object(
  { current_password: givenPassword, password: newPassword },
  { title: 'PasswordUpdate', description: 'The current password and the new one.' },
)

const role = Type.Unsafe<OperatorRole>({
  type: 'string',
  enum: [...OPERATOR_ROLES],
  description: '`viewer` reads, `editor` also changes, `owner` also governs operators and the server.',
  examples: ['editor'],
})

/** An operator is limited to this many events, and as many workspaces. Each request of the operator reads them. */
const MAX_GRANTS = 200

const grants = (what: string) =>
  Type.Array(Type.String({ format: 'uuid', examples: [ID] }), {
    maxItems: MAX_GRANTS,
    description: `Ids of the ${what}.`,
    examples: [[ID]],
  })

const OperatorLimits = Type.Object(
  { events: grants('events'), workspaces: grants('workspaces') },
  {
    title: 'OperatorLimits',
    description:
      'The only events and workspaces that the role is for. Without limits, it is for all that there are and will be.',
  },
)
type OperatorLimits = Static<typeof OperatorLimits>
const limitedTo = Type.Unsafe<OperatorLimits | null>({ ...OperatorLimits, type: ['object', 'null'] })

/** Type of the rights of an operator, as they are sent. */
export type Rights = { role: OperatorRole; limited_to: OperatorLimits | null }

export const OperatorUpdate = Type.Object(
  { role: Type.Optional(role), limited_to: Type.Optional(limitedTo) },
  {
    title: 'OperatorUpdate',
    description: 'Absent fields stay unchanged. An owner has no limits, and loses those it had when it becomes one.',
  },
)
export type OperatorUpdate = Static<typeof OperatorUpdate>

export const OperatorCreate = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      pattern: OPERATOR_NAME_PATTERN,
      description: 'Unique, case-insensitive.',
      examples: ['Camille'],
    }),
    role,
    limited_to: Type.Optional(limitedTo),
  },
  { title: 'OperatorCreate', description: 'Without `limited_to`, the role is for everything.' },
)

export const IdParams = Type.Object({ id: Type.String({ description: 'The `id` in the list.', examples: [ID] }) })

export const Session = Type.Object(
  {
    operator: Type.Object(
      { id: id('Id of the operator.'), name: Type.String({ examples: ['operator'] }), role, limited_to: limitedTo },
      { title: 'SignedInOperator' },
    ),
    confirmed_until: moment('Time from which dangerous actions ask for a confirmation again.'),
    expires_at: moment('End of the session unless it is used again.'),
    needs_second_factor: Type.Boolean({
      description:
        'True if the operator has to set up a second factor first. Until then, other requests answer 403 `SECOND_FACTOR_REQUIRED`.',
      examples: [false],
    }),
  },
  { title: 'Session', description: 'The current session.' },
)
export type Session = Static<typeof Session>

/** An answer of the browser. The library checks its contents. */
export const PasskeyResponse = Type.Unsafe<{ id: string }>({
  type: 'object',
  required: ['id', 'rawId', 'response', 'type'],
  additionalProperties: true,
  title: 'PasskeyResponse',
  description: 'What `PublicKeyCredential.toJSON` returns.',
  properties: {
    id: { type: 'string', maxLength: 2000, examples: ['Ajz1m8Gz3zTRm2Y0bW2Zkw'] },
    rawId: { type: 'string', maxLength: 2000, examples: ['Ajz1m8Gz3zTRm2Y0bW2Zkw'] },
    response: { type: 'object', additionalProperties: true, examples: [{ clientDataJSON: 'e30' }] },
    type: { type: 'string', enum: ['public-key'], examples: ['public-key'] },
  },
})

export const SessionConfirmation = Type.Object(
  {
    password: Type.Optional(givenPassword),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description: 'A code of the authenticator app, or a recovery code.',
        examples: ['287082'],
      }),
    ),
    passkey: Type.Optional(PasskeyResponse),
  },
  { title: 'SessionConfirmation', description: 'One of the three.', examples: [{ password: 'a quiet lake at dawn' }] },
)

export const SignInMethods = Type.Object(
  {
    passkeys: Type.Boolean({ description: 'True if browsers have passkeys at this address.', examples: [true] }),
    provider: nullable<string>('string', {
      description:
        'Text of the button for the identity provider; empty for that of the dashboard, null without a provider.',
      examples: ['Sign in with Example'],
    }),
  },
  { title: 'SignInMethods' },
)
export type SignInMethods = Static<typeof SignInMethods>

export const ConfirmationMethods = Type.Object(
  {
    password: Type.Boolean({
      description: 'True if the operator has a password and no second factor, which confirms instead.',
      examples: [true],
    }),
    has_password: Type.Boolean({ description: 'True if the operator has a password.', examples: [true] }),
    may_have_credentials: Type.Boolean({
      description: 'False for an account that signs in at the identity provider alone.',
      examples: [true],
    }),
    authenticator_app: Type.Boolean({ description: 'True if an authenticator app is set up.', examples: [true] }),
    recovery_code: Type.Boolean({ description: 'True if recovery codes are left.', examples: [true] }),
    passkey: Type.Boolean({
      description: 'True if the operator has a passkey, and browsers have passkeys at this address.',
      examples: [false],
    }),
    provider: nullable<string>('string', {
      description:
        'Text of the button for the identity provider; empty for that of the dashboard, null if the operator does not sign in through the provider.',
      examples: ['Sign in with Example'],
    }),
  },
  { title: 'ConfirmationMethods', description: 'What the current operator can confirm the session with.' },
)
export type ConfirmationMethods = Static<typeof ConfirmationMethods>

export const SessionConfirmed = Type.Object(
  { confirmed_until: moment('Time from which dangerous actions ask for a confirmation again.') },
  { title: 'SessionConfirmed' },
)
export type SessionConfirmed = Static<typeof SessionConfirmed>

export const SessionList = Type.Object(
  {
    sessions: Type.Array(
      Type.Object(
        {
          id: id('Ends the session in `DELETE /operator/sessions/{id}`.'),
          created_at: moment('Time of sign-in.'),
          last_seen_at: moment('Time of last use, accurate to five minutes.'),
          expires_at: moment('End of the session unless it is used again.'),
          user_agent: Type.String({ description: '`User-Agent` of the browser.', examples: ['Mozilla/5.0 (X11)'] }),
          address: Type.String({ description: 'IP address of the sign-in.', examples: ['192.0.2.7'] }),
          is_current: Type.Boolean({ description: 'True for the session of this request.', examples: [true] }),
        },
        { title: 'SessionEntry' },
      ),
    ),
  },
  { title: 'SessionList', description: "The current operator's sessions, the last used first." },
)
export type SessionList = Static<typeof SessionList>

const operatorFields = {
  id: id('Id of the operator.'),
  name: Type.String({ description: 'Name as it was entered.', examples: ['Camille'] }),
  created_at: moment('Time of creation.'),
  last_sign_in_at: nullable<string>('string', {
    format: 'date-time',
    description: 'Time of the last sign-in; null before the first.',
    examples: [MOMENT],
  }),
  may_have_credentials: Type.Boolean({
    description: 'False for an account that signs in at the identity provider alone. It gets no sign-in link.',
    examples: [true],
  }),
  has_password: Type.Boolean({ description: 'True once a sign-in link has set a password.', examples: [true] }),
  role,
  limited_to: limitedTo,
  has_second_factor: Type.Boolean({ description: 'True if the password alone does not sign in.', examples: [true] }),
  suspended_at: nullable<string>('string', {
    format: 'date-time',
    description:
      'Time since which the identity provider gives no role, so that the operator cannot sign in; null while it can.',
    examples: [null],
  }),
}

export const SignInLink = Type.Object(
  {
    url: Type.String({
      description: 'Works once and is shown only here.',
      examples: ['http://localhost:8080/dashboard/sign-in#token=lnk_bGlua3MgYXJlIG9mIHVzZSBvbmNlIGFuZCBubyBtb3Jl'],
    }),
    expires_at: moment('End of the link unless it is used.'),
  },
  { title: 'SignInLink', description: 'A link that sets a password and signs in.' },
)
export type SignInLink = Static<typeof SignInLink>

export const Operator = Type.Object(operatorFields, { title: 'Operator' })
export type Operator = Static<typeof Operator>

export const OperatorList = Type.Object(
  { operators: Type.Array(Operator) },
  { title: 'OperatorList', description: 'All operators, the oldest first.' },
)
export type OperatorList = Static<typeof OperatorList>

export const OperatorCreated = Type.Object(
  { ...operatorFields, sign_in_link: SignInLink },
  { title: 'OperatorCreated', description: 'The new operator, with the link for the first sign-in.' },
)
export type OperatorCreated = Static<typeof OperatorCreated>

export const OperatorSettings = Type.Object(
  {
    base_url: Type.String({ description: 'Public URL of the API.', examples: ['http://localhost:8080'] }),
    public_url: Type.String({ description: 'Public URL of published pages.', examples: ['http://localhost:8080'] }),
    max_upload_bytes: Type.Integer({ description: 'Largest PDF that can be uploaded.', examples: [200_000_000] }),
    version: Type.String({ description: 'Version of the program.', examples: ['0.1.0'] }),
    second_factor_required: Type.Boolean({
      description: 'True if every operator needs a second factor.',
      examples: [false],
    }),
    new_accounts_reach: Type.Unsafe<'everything' | 'nothing' | null>({
      enum: ['everything', 'nothing', null],
      description:
        'What viewers and editors reach who sign in through the identity provider for the first time; null without a provider.',
      examples: ['everything'],
    }),
    services: Type.Array(Type.String(), { description: 'Services that run in this process.', examples: [['tracks']] }),
  },
  { title: 'OperatorSettings', description: 'Settings of the server that the dashboard needs.' },
)
export type OperatorSettings = Static<typeof OperatorSettings>
