import { type Command, requireArgument, UsageError } from '../basics/command.ts'
import { momentOrNull } from '../basics/time.ts'
import type { CredentialGrant, Credentials, IssuedCredential } from './credentials.ts'
import {
  type CredentialRow,
  credentialId,
  type OwnColumns,
  parsePermissions,
  readPermissions,
} from './credentials-store.ts'
import { MAX_LABEL_LENGTH } from './schemas.ts'

type CommandOptions = Readonly<Record<string, string | undefined>>

/** Words and texts of the commands on the credentials of one kind, and the options that only it has. */
type CredentialCommandScope<Own extends OwnColumns> = {
  /** The words that its commands begin with: `events tokens`. */
  words: string
  /** Names in sentences, such as `event`, `an event`, `token` and `token`. */
  names: { owner: string; anOwner: string; noun: string; credential: string }
  /** Describes the command `create`. */
  createDoc: string
  /** Options of `create` that only this kind has, as they are typed. */
  options?: string
  /** Creates the credential that the options describe. @throws UsageError, `ownerNotFound` */
  create(
    ownerId: string,
    grant: Pick<CredentialGrant<Own>, 'permissions' | 'label'>,
    options: CommandOptions,
  ): Promise<IssuedCredential<Own>>
  /** Represents a credential that was created. */
  createdJson(issued: IssuedCredential<Own>, permissions: readonly string[]): object
}

/** Creates the admin commands for the credentials of one kind. */
export function credentialCommands<Own extends OwnColumns>(
  credentials: Credentials<Own>,
  scope: CredentialCommandScope<Own>,
): Command[] {
  return [createCommand(credentials, scope), listCommand(credentials, scope), revokeCommand(credentials, scope)]
}

function createCommand<Own extends OwnColumns>(
  { kind }: Credentials<Own>,
  scope: CredentialCommandScope<Own>,
): Command {
  const { words, names, options: ownOptions } = scope
  const optional = ownOptions === undefined ? '' : ` ${ownOptions}`
  const command: Command = {
    usage: `${words} create <${names.owner}> [--permissions ${kind.permissions.join()}]${optional} [--name <text>] [--keep 7d]`,
    doc: scope.createDoc,
    async run(args, options) {
      const ownerId = requireArgument(args, 0, command)
      const chosen = options.permissions
      const permissions = chosen === undefined ? kind.defaultPermissions : permissionsIn(chosen, kind.permissions)
      const { name } = options
      if (name !== undefined && [...name].length > MAX_LABEL_LENGTH)
        throw new UsageError(`A ${names.noun}'s name has at most ${MAX_LABEL_LENGTH} characters`)
      const issued = await scope.create(ownerId, { permissions, label: name ?? null }, options)
      return scope.createdJson(issued, permissions)
    },
  }
  return command
}

function listCommand<Own extends OwnColumns>(
  credentials: Credentials<Own>,
  { words, names }: CredentialCommandScope<Own>,
): Command {
  const command: Command = {
    usage: `${words} list <${names.owner}>`,
    doc: `Lists ${names.anOwner}'s valid ${names.credential}s, newest first, without their texts.`,
    isReadOnly: true,
    async run(args) {
      const rows = await credentials.list(requireArgument(args, 0, command))
      return rows.map((row) => listedJson(row, credentials))
    },
  }
  return command
}

function revokeCommand<Own extends OwnColumns>(
  credentials: Credentials<Own>,
  { words, names }: CredentialCommandScope<Own>,
): Command {
  const command: Command = {
    usage: `${words} revoke <${names.owner}> <${names.noun} id>`,
    doc: `Ends one ${names.credential} at once.`,
    async run(args) {
      const ownerId = requireArgument(args, 0, command)
      const id = requireArgument(args, 1, command)
      await credentials.revoke(ownerId, id)
      return { id }
    },
  }
  return command
}

function listedJson<Own extends OwnColumns>(row: CredentialRow<Own>, { kind }: Credentials<Own>) {
  return {
    id: credentialId(row),
    permissions: parsePermissions(row.permissions, kind.permissions),
    ...Object.fromEntries(Object.keys(kind.own).map((column) => [column, row[column]])),
    name: row.label,
    is_first: row.is_first === 1,
    created_at: momentOrNull(row.created_at),
    expires_at: momentOrNull(row.expires_at),
    last_used_at: momentOrNull(row.last_used_at),
  }
}

function permissionsIn(text: string, known: readonly string[]): readonly string[] {
  const read = readPermissions(text, known)
  if ('problem' in read) throw new UsageError(read.problem)
  return read
}
