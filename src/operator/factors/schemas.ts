import Type, { type Static } from 'typebox'
import { nullable, nullableText } from '#platform/http/field-rules.ts'
import { PasskeyResponse } from '../model/schemas.ts'

const CODES = ['k3vd-0q7w-8rfa-m1xz', '9hte-2c5n-b6jp-y4gs']

const recoveryCodes = {
  items: { type: 'string' },
  description: 'Each opens the account once, in place of the second factor. Shown only here.',
}

/** A code as people type it, with spaces or without. */
const code = (description: string) => Type.String({ minLength: 1, maxLength: 50, description, examples: ['287082'] })

export const SecondFactorNeeded = Type.Object(
  {
    second_factors: Type.Array(Type.String({ enum: ['authenticator_app', 'passkey', 'recovery_code'] }), {
      description: 'What the operator can use.',
      examples: [['authenticator_app', 'recovery_code']],
    }),
  },
  { title: 'SecondFactorNeeded', description: 'The password is right. A second factor follows within ten minutes.' },
)
export type SecondFactorNeeded = Static<typeof SecondFactorNeeded>

export const SecondFactorCode = Type.Object(
  { code: code('A code of the authenticator app, or a recovery code.') },
  { title: 'SecondFactorCode' },
)

export const SecondFactorList = Type.Object(
  {
    authenticator_app: nullableText({
      format: 'date-time',
      description: 'Time at which the app was confirmed; null without one.',
      examples: ['2026-05-03T06:15:00.000Z'],
    }),
    has_factor: Type.Boolean({
      description: 'True with an app or a passkey: the password alone does not sign in.',
      examples: [true],
    }),
    recovery_codes_left: Type.Integer({ description: 'Number of recovery codes that are not used.', examples: [10] }),
  },
  { title: 'SecondFactorList', description: "The current operator's second factors." },
)
export type SecondFactorList = Static<typeof SecondFactorList>

export const AuthenticatorAppSetUp = Type.Object(
  {
    secret: Type.String({
      description: 'To type into the app. Shown only here.',
      examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
    }),
    address: Type.String({
      description: 'For a QR code.',
      examples: ['otpauth://totp/Trackpress:operator%40localhost?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
    }),
  },
  { title: 'AuthenticatorAppSetUp', description: 'What the app needs (RFC 6238).' },
)
export type AuthenticatorAppSetUp = Static<typeof AuthenticatorAppSetUp>

export const AuthenticatorAppConfirm = Type.Object(
  { code: code('A code that the app shows.') },
  { title: 'AuthenticatorAppConfirm' },
)

export const NewFactor = Type.Object(
  {
    recovery_codes: nullable<string[]>('array', {
      ...recoveryCodes,
      description: `${recoveryCodes.description} Null if the operator had a second factor, and thus codes, before.`,
      examples: [CODES],
    }),
  },
  { title: 'NewFactor', description: 'The second factor is needed from now on.' },
)
export type NewFactor = Static<typeof NewFactor>

export const RecoveryCodes = Type.Object(
  { recovery_codes: Type.Array(Type.String(), { description: recoveryCodes.description, examples: [CODES] }) },
  { title: 'RecoveryCodes', description: 'New recovery codes. Earlier ones have ended.' },
)
export type RecoveryCodes = Static<typeof RecoveryCodes>

const MAX_NAME_LENGTH = 100

export const PasskeyOptions = Type.Object(
  {
    options: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description:
        'For the browser, as `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` takes it.',
      examples: [{ challenge: 'Zm9yIG9uZSB1c2U', rpId: 'localhost', userVerification: 'required' }],
    }),
  },
  { title: 'PasskeyOptions' },
)

const name = Type.String({
  minLength: 1,
  maxLength: MAX_NAME_LENGTH,
  pattern: '\\S',
  description: 'To recognise it in the list.',
  examples: ['Laptop'],
})

export const PasskeyCreate = Type.Object(
  { name, response: PasskeyResponse },
  { title: 'PasskeyCreate', description: 'The new passkey, as the browser answered.' },
)

export const PasskeyUpdate = Type.Object({ name }, { title: 'PasskeyUpdate', description: 'The new name.' })

export const PasskeySignIn = Type.Object({ response: PasskeyResponse }, { title: 'PasskeySignIn' })

const passkeyFields = {
  id: Type.String({ format: 'uuid', examples: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'] }),
  name: Type.String({ examples: ['Laptop'] }),
  created_at: Type.String({ format: 'date-time', examples: ['2026-05-03T06:15:00.000Z'] }),
  last_used_at: nullableText({
    format: 'date-time',
    description: 'Time of the last use; null before the first.',
    examples: ['2026-05-03T06:15:00.000Z'],
  }),
}

export const Passkey = Type.Object(passkeyFields, { title: 'Passkey' })
export type Passkey = Static<typeof Passkey>

export const PasskeyList = Type.Object(
  { passkeys: Type.Array(Passkey) },
  { title: 'PasskeyList', description: "The current operator's passkeys, the oldest first." },
)
export type PasskeyList = Static<typeof PasskeyList>

export const PasskeyCreated = Type.Object(
  {
    ...passkeyFields,
    recovery_codes: nullable<string[]>('array', {
      ...recoveryCodes,
      description:
        'Each opens the account once, in place of the second factor. Shown only here; null if the operator had a second factor before.',
      examples: [CODES],
    }),
  },
  { title: 'PasskeyCreated' },
)
export type PasskeyCreated = Static<typeof PasskeyCreated>
