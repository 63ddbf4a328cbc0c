import Type, { type Static } from 'typebox'

export const ProviderAddress = Type.Object(
  {
    url: Type.String({
      description: 'Address at the provider that the browser has to open.',
      examples: ['https://sso.example.org/realms/office/protocol/openid-connect/auth?client_id=trackpress'],
    }),
  },
  { title: 'ProviderAddress' },
)
export type ProviderAddress = Static<typeof ProviderAddress>

export const ProviderAnswer = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 8000,
      description: 'The query of the address that the provider sent the browser back to.',
      examples: ['?code=Qcb0Orv1zh30vL1MPRsbm&state=af0ifjsldkj'],
    }),
  },
  { title: 'ProviderAnswer' },
)
