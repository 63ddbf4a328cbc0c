import Type, { type TString } from 'typebox'
import { formatDateTime, momentOrNull } from '../basics/time.ts'
import { type Nullable, nullable } from '../http/field-rules.ts'
import { type CredentialRow, credentialId, type OwnColumns, parsePermissions } from './credentials-store.ts'
import { maskToken } from './token.ts'

/** Longest label of a credential, in characters. */
export const MAX_LABEL_LENGTH = 200

const YEAR_SEC = 365 * 86_400
const MAX_LIFETIME_SEC = 10 * YEAR_SEC

type FieldTexts<Permission extends string> = {
  /** Names the credential in sentences: `token`, `key`. */
  noun: string
  permissions: readonly Permission[]
  defaultPermissions: readonly Permission[]
  /** Describes each permission. */
  permissionsHelp: string
  labelExample: string
  /** Describes a first credential. */
  firstHelp: string
  /** Makes the schema of a time. */
  moment(description: string): TString
}

/** Returns the fields of a credential in an answer that both services have. */
export function credentialFields<Permission extends string>(texts: FieldTexts<Permission>) {
  const { noun, permissions, defaultPermissions, permissionsHelp, labelExample, firstHelp, moment } = texts
  const nullableMoment = (description: string) =>
    Type.Unsafe<Nullable<string>>({ ...moment(description), type: ['string', 'null'] })
  const permission = Type.Enum(permissions as Permission[], { description: permissionsHelp })
  return {
    id: Type.String({
      description: `Identifies the ${noun}. It gives no access.`,
      examples: ['9f86d081884c7d659a2feaa0c55ad015'],
    }),
    label: nullable<string>('string', {
      description: 'Owner or purpose; null if not set.',
      examples: [labelExample],
    }),
    permissions: Type.Array(permission, {
      description: `What the ${noun} may do.`,
      examples: [[...defaultPermissions]],
    }),
    is_first: Type.Boolean({ description: firstHelp, examples: [false] }),
    created_at: moment('Time of creation.'),
    expires_at: nullableMoment(`End of the ${noun}; null without an end.`),
    last_used_at: nullableMoment('Time of the latest use, to the minute; null if unused.'),
  }
}

/** Returns the field with the text of a credential. */
export function textField(noun: string, example: string) {
  return nullable<string>('string', {
    description: `The ${noun} in plain text; null if it was created with another secret.`,
    examples: [example],
  })
}

type CreateTexts<Permission extends string> = Pick<
  FieldTexts<Permission>,
  'noun' | 'permissions' | 'permissionsHelp'
> & {
  labelExamples?: string[]
  /** Describes which permissions can be chosen, and the default. */
  choiceHelp: string
  choiceExample: readonly Permission[]
  /** Describes the end of a credential for which none was chosen. */
  endHelp: string
}

/** Returns the fields of the request that creates a credential. */
export function createFields<Permission extends string>(texts: CreateTexts<Permission>) {
  const { noun, permissions, permissionsHelp, labelExamples, choiceHelp, choiceExample, endHelp } = texts
  return {
    label: Type.Optional(
      nullable<string>('string', {
        maxLength: MAX_LABEL_LENGTH,
        description: 'Owner or purpose.',
        ...(labelExamples === undefined ? {} : { examples: labelExamples }),
      }),
    ),
    permissions: Type.Optional(
      nullable<Permission[]>('array', {
        items: Type.Enum(permissions as Permission[], { description: permissionsHelp }),
        minItems: 1,
        description: choiceHelp,
        examples: [choiceExample],
      }),
    ),
    keep_sec: Type.Optional(
      nullable<number>('integer', {
        minimum: 1,
        maximum: MAX_LIFETIME_SEC,
        description: `Lifetime of the ${noun} in seconds. ${endHelp}`,
        examples: [7 * 86_400],
      }),
    ),
  }
}

/** Returns the field that says how long the former first credentials stay valid. */
export function keepField(description: string) {
  return Type.Optional(nullable<number>('integer', { minimum: 0, maximum: YEAR_SEC, description, examples: [86_400] }))
}

/**
 * Represents a credential without its text.
 * @param text its text, of which the mask is made; undefined if it cannot be read
 */
export function credentialJson<Own extends OwnColumns, Permission extends string>(
  row: CredentialRow<Own>,
  text: string | undefined,
  known: readonly Permission[],
) {
  return {
    id: credentialId(row),
    label: row.label,
    masked: text === undefined ? null : maskToken(text),
    permissions: [...parsePermissions(row.permissions, known)],
    is_first: row.is_first === 1,
    created_at: formatDateTime(row.created_at),
    expires_at: momentOrNull(row.expires_at),
    last_used_at: momentOrNull(row.last_used_at),
  }
}
