import Type, { type Static } from 'typebox'

const CODES = ['k3vd-0q7w-8rfa-m1xz', '9hte-2c5n-b6jp-y4gs']

const recoveryCodes = {
  type: 'array',
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
    authenticator_app: Type.Unsafe<string | null>({
      type: ['string', 'null'],
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
    recovery_codes: Type.Unsafe<string[] | null>({
      ...recoveryCodes,
      type: ['array', 'null'],
      description: `${recoveryCodes.description} Null if the operator had a second factor, and thus codes, before.`,
      examples: [CODES],
    }),
  },
  { title: 'NewFactor', description: 'The second factor is needed from now on.' },
)
export type NewFactor = Static<typeof NewFactor>

export const RecoveryCodes = Type.Object(
  { recovery_codes: Type.Unsafe<string[]>({ ...recoveryCodes, examples: [CODES] }) },
  { title: 'RecoveryCodes', description: 'New recovery codes. Earlier ones have ended.' },
)
export type RecoveryCodes = Static<typeof RecoveryCodes>
