import Type, { type Static } from 'typebox'
import { MAX_NAME_LENGTH, OPERATOR_NAME_PATTERN } from './domain/operator-name.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './domain/password-length.ts'

const ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const MOMENT = '2026-05-03T06:15:00.000Z'

const id = (description: string) => Type.String({ format: 'uuid', description, examples: [ID] })
const moment = (description: string) => Type.String({ format: 'date-time', description, examples: [MOMENT] })
const nullable = <T>(type: string, options: object) => Type.Unsafe<T | null>({ type: [type, 'null'], ...options })
const newPassword = Type.String({
  minLength: MIN_PASSWORD_LENGTH,
  maxLength: MAX_PASSWORD_LENGTH,
  description: 'Any characters; not the name, and not what everyone takes.',
  examples: ['a quiet lake at dawn'],
})
const givenPassword = Type.String({ maxLength: MAX_PASSWORD_LENGTH, examples: ['a quiet lake at dawn'] })

export const SignIn = Type.Object(
  { name: Type.String({ maxLength: MAX_NAME_LENGTH, examples: ['operator'] }), password: givenPassword },
  { title: 'SessionCreate', description: 'A name, in upper or lower case, and its password.' },
)

export const RedeemSignInLink = Type.Object(
  {
    token: Type.String({
      maxLength: 200,
      description: 'What stands behind `#token=` in the link.',
      examples: ['lnk_bGlua3MgYXJlIG9mIHVzZSBvbmNlIGFuZCBubyBtb3Jl'],
    }),
    password: newPassword,
  },
  { title: 'SignInLinkRedeem', description: 'The token of a sign-in link, and the password to set.' },
)

export const ChangePassword = Type.Object(
  { current_password: givenPassword, password: newPassword },
  { title: 'PasswordUpdate', description: 'The password so far, and the one from now on.' },
)
export type ChangePassword = Static<typeof ChangePassword>

export const NewOperator = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      pattern: OPERATOR_NAME_PATTERN,
      description: 'Unlike every other in upper and lower case.',
      examples: ['Camille'],
    }),
  },
  { title: 'OperatorCreate' },
)

export const IdParams = Type.Object({ id: Type.String({ description: 'The `id` in the list.', examples: [ID] }) })
export type IdParams = Static<typeof IdParams>

export const Session = Type.Object(
  {
    operator: Type.Object(
      { id: id('Whose session it is.'), name: Type.String({ examples: ['operator'] }) },
      { title: 'SignedInOperator' },
    ),
    expires_at: moment('When it ends if it is not used again.'),
  },
  { title: 'Session', description: 'Who is signed in.' },
)
export type Session = Static<typeof Session>

export const SessionList = Type.Object(
  {
    sessions: Type.Array(
      Type.Object(
        {
          id: id('What it is ended by.'),
          created_at: moment('When it began.'),
          last_seen_at: moment('When it was used, to within five minutes.'),
          expires_at: moment('When it ends if it is not used again.'),
          user_agent: Type.String({ description: 'What the browser calls itself.', examples: ['Mozilla/5.0 (X11)'] }),
          address: Type.String({ description: 'Where it signed in from.', examples: ['192.0.2.7'] }),
          is_current: Type.Boolean({ description: 'Whether it is the one that asks.', examples: [true] }),
        },
        { title: 'SessionEntry' },
      ),
    ),
  },
  { title: 'SessionList', description: 'The sessions of who is signed in, the one used last first.' },
)
export type SessionList = Static<typeof SessionList>

const operatorFields = {
  id: id('What it is deleted by.'),
  name: Type.String({ description: 'As given.', examples: ['Camille'] }),
  created_at: moment('When it was made.'),
  last_sign_in_at: nullable<string>('string', {
    format: 'date-time',
    description: 'Null before the first time.',
    examples: [MOMENT],
  }),
  has_password: Type.Boolean({ description: 'Whether a sign-in link has been used.', examples: [true] }),
}

export const SignInLink = Type.Object(
  {
    url: Type.String({
      description: 'Works once. Shown only here.',
      examples: ['http://localhost:8080/dashboard/sign-in#token=lnk_bGlua3MgYXJlIG9mIHVzZSBvbmNlIGFuZCBubyBtb3Jl'],
    }),
    expires_at: moment('When it ends unless it is used.'),
  },
  { title: 'SignInLink', description: 'A link that sets a password and signs in.' },
)
export type SignInLink = Static<typeof SignInLink>

export const OperatorList = Type.Object(
  { operators: Type.Array(Type.Object(operatorFields, { title: 'Operator' })) },
  { title: 'OperatorList', description: 'Everyone who may sign in, the oldest first.' },
)
export type OperatorList = Static<typeof OperatorList>

export const CreatedOperator = Type.Object(
  { ...operatorFields, sign_in_link: SignInLink },
  { title: 'OperatorCreated', description: 'An operator, and the link by which to sign in for the first time.' },
)
export type CreatedOperator = Static<typeof CreatedOperator>

export const OperatorSettings = Type.Object(
  {
    map_style_url: nullable<string>('string', {
      description: 'Style of the maps; null for the outlines that come with the dashboard.',
      examples: ['https://tiles.example.org/style.json'],
    }),
    base_url: Type.String({ description: 'Public address of the API.', examples: ['http://localhost:8080'] }),
    public_url: Type.String({ description: 'Public address of published pages.', examples: ['http://localhost:8080'] }),
    max_upload_bytes: Type.Integer({ description: 'Largest PDF that may be uploaded.', examples: [200_000_000] }),
    version: Type.String({ description: 'Of the program.', examples: ['0.1.0'] }),
    services: Type.Array(Type.String(), { description: 'Those that run here.', examples: [['tracks']] }),
  },
  { title: 'OperatorSettings', description: 'What the dashboard has to know of the server.' },
)
export type OperatorSettings = Static<typeof OperatorSettings>
