import { type Command, parseDuration, requireArgument, UsageError } from '#platform/command.ts'
import type { Notices } from '#platform/database/notices.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import { parsePermissions, readPermissions } from '#platform/tokens/permission-list.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import { DEFAULT_PERMISSIONS, PERMISSIONS, type Permission } from '../domain/permission.ts'
import { apiKeyNotFound, workspaceNotFound } from '../errors.ts'
import { type ApiKeysStore, keyId } from '../storage/api-keys-store.ts'
import type { ApiKeyRow } from '../storage/tables.ts'
import type { WorkspacesStore } from '../storage/workspaces-store.ts'
import type { WorkspaceKeys } from './workspace-keys.ts'

const MAX_NAME_LENGTH = 200

type Deps = {
  workspaces: Pick<WorkspacesStore, 'find'>
  apiKeys: Pick<ApiKeysStore, 'listValid' | 'end'>
  workspaceKeys: Pick<WorkspaceKeys, 'add'>
  notices: Notices | undefined
  now: () => number
}

/** Admin commands for the API keys of a workspace. */
export function keyCommands(deps: Deps): Command[] {
  return [createCommand(deps), listCommand(deps), revokeCommand(deps)]
}

function createCommand({ workspaceKeys, now }: Deps): Command {
  const command: Command = {
    usage: 'workspaces keys create <workspace> [--permissions publish,read] [--name <text>] [--keep 7d]',
    doc: 'Creates a further API key, by default with both permissions, and prints it.',
    async run(args, { permissions: wanted, name, keep }) {
      const workspaceId = requireArgument(args, 0, command)
      const permissions = wanted === undefined ? DEFAULT_PERMISSIONS : permissionsIn(wanted)
      if (name !== undefined && [...name].length > MAX_NAME_LENGTH)
        throw new UsageError(`A key's name has at most ${MAX_NAME_LENGTH} characters`)
      const label = name ?? null
      const expiresAtMs = keep === undefined ? null : now() + parseDuration(keep)
      const { row, api_key } = await workspaceKeys.add(workspaceId, { permissions, label, expiresAtMs })
      return { id: keyId(row), api_key, permissions, name: label }
    },
  }
  return command
}

function listCommand({ workspaces, apiKeys, now }: Deps): Command {
  const command: Command = {
    usage: 'workspaces keys list <workspace>',
    doc: "Lists a workspace's valid API keys, newest first, without their texts.",
    isReadOnly: true,
    async run(args) {
      const workspaceId = requireArgument(args, 0, command)
      if ((await workspaces.find(workspaceId)) === undefined) throw workspaceNotFound()
      return (await apiKeys.listValid(workspaceId, now())).map(listed)
    },
  }
  return command
}

function revokeCommand({ apiKeys, notices, now }: Deps): Command {
  const command: Command = {
    usage: 'workspaces keys revoke <workspace> <key id>',
    doc: 'Ends one API key at once.',
    async run(args) {
      const workspaceId = requireArgument(args, 0, command)
      const id = requireArgument(args, 1, command)
      const row = (await apiKeys.listValid(workspaceId, now())).find((key) => keyId(key) === id)
      if (row === undefined || !(await apiKeys.end(workspaceId, row.key_sha256))) throw apiKeyNotFound()
      await announceEndedTokens(notices, workspaceId)
      return { id }
    },
  }
  return command
}

function listed(row: ApiKeyRow) {
  return {
    id: keyId(row),
    permissions: parsePermissions(row.permissions, PERMISSIONS),
    name: row.label,
    is_first: row.is_first === 1,
    created_at: formatDateTime(row.created_at),
    expires_at: formatted(row.expires_at),
    last_used_at: formatted(row.last_used_at),
  }
}

function permissionsIn(text: string): readonly Permission[] {
  const read = readPermissions(text, PERMISSIONS)
  if ('problem' in read) throw new UsageError(read.problem)
  return read
}

function formatted(timeMs: number | null): string | null {
  return timeMs === null ? null : formatDateTime(timeMs)
}
