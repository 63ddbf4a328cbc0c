import Type, { type Static } from 'typebox'
import { PasskeyResponse } from '../schemas.ts'

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
  last_used_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
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
    recovery_codes: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description:
        'Each opens the account once, in place of the second factor. Shown only here; null if the operator had a second factor before.',
      examples: [['k3vd-0q7w-8rfa-m1xz', '9hte-2c5n-b6jp-y4gs']],
    }),
  },
  { title: 'PasskeyCreated' },
)
export type PasskeyCreated = Static<typeof PasskeyCreated>
