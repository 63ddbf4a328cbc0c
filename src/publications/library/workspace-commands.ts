import { type Command, parseDuration, requireArgument, UsageError } from '#platform/basics/command.ts'
import type { Keys } from '#platform/basics/secrets.ts'
import { formatDateTime } from '#platform/basics/time.ts'
import { credentialCommands } from '#platform/credentials/commands.ts'
import { credentialId } from '#platform/credentials/credentials-store.ts'
import { announceEndedTokens } from '#platform/credentials/token.ts'
import type { Database } from '#platform/database/database.ts'
import { workspaceNotFound } from '../model/errors.ts'
import { parseWorkspaceName, workspaceNameProblem } from '../model/fields.ts'
import type { PublicationsTables } from '../model/tables.ts'
import { createWorkspacesStore } from '../model/workspaces-store.ts'
import { createApiKeysStore, createWorkspaceKeys, type WorkspaceKeys } from './workspace-keys.ts'

/** Creates the admin commands for workspaces and their keys. */
export function publicationsCommands(
  database: Database<PublicationsTables>,
  sealingKeys: Keys,
  now: () => number,
): Command[] {
  const { db, notices } = database
  const workspaces = createWorkspacesStore(db)
  const apiKeys = createApiKeysStore(db)
  const keys = createWorkspaceKeys({ workspaces, apiKeys, notices, sealingKeys, now })

  const create: Command = {
    usage: 'workspaces create <name> [--max-bytes 10000000000] [--max-publications 500]',
    doc: 'Creates a workspace, with limits if they are given, and prints its API key.',
    async run(args, options) {
      const name = requireArgument(args, 0, create)
      const problem = workspaceNameProblem(name)
      if (problem !== undefined) throw new UsageError(`The name ${problem}`)
      return await keys.create(parseWorkspaceName(name), {
        max_bytes: parseLimit(options['max-bytes']),
        max_publications: parseLimit(options['max-publications']),
      })
    },
  }
  const list: Command = {
    usage: 'workspaces list',
    doc: 'Lists all workspaces, newest first.',
    isReadOnly: true,
    async run() {
      return (await workspaces.list()).map(({ id, name, created_at, publications_count }) => ({
        id,
        name,
        created_at: formatDateTime(created_at),
        publications_count,
      }))
    },
  }
  const key: Command = {
    usage: 'workspaces key <id>',
    doc: "Shows a workspace's newest first API key again.",
    async run(args) {
      const { id, name, text } = await keys.showFirst(requireArgument(args, 0, key))
      if (text === undefined)
        throw new UsageError(
          'The key cannot be shown: it has ended, or was created with another secret. Create a new one with workspaces rotate.',
        )
      return { id, name, api_key: text }
    },
  }
  const rotate: Command = {
    usage: 'workspaces rotate <id> [--keep 24h]',
    doc: 'Creates a new first API key; the old first keys end at once, or after the given time.',
    async run(args, { keep }) {
      const workspaceId = requireArgument(args, 0, rotate)
      const { id, name, text } = await keys.rotate(workspaceId, keep === undefined ? 0 : parseDuration(keep))
      return { id, name, api_key: text }
    },
  }
  const remove: Command = {
    usage: 'workspaces delete <id>',
    doc: 'Permanently deletes a workspace with all its publications and files.',
    async run(args) {
      const id = requireArgument(args, 0, remove)
      if (!(await workspaces.end(id, now()))) throw workspaceNotFound()
      await announceEndedTokens(notices, id)
      return { id }
    },
  }
  return [create, list, key, rotate, remove, ...keyCommands(keys, now)]
}

/** Creates the admin commands for the API keys of a workspace. */
function keyCommands(keys: WorkspaceKeys, now: () => number): Command[] {
  return credentialCommands(keys, {
    words: 'workspaces keys',
    names: { owner: 'workspace', anOwner: 'a workspace', noun: 'key', credential: 'API key' },
    createDoc: 'Creates a further API key, by default with both permissions, and prints it.',
    async create(workspaceId, grant, { keep }) {
      const expiresAtMs = keep === undefined ? null : now() + parseDuration(keep)
      const [key] = await keys.grant(workspaceId, [{ ...grant, expiresAtMs, own: {} }])
      return key
    },
    createdJson: ({ text, row }, permissions) => ({
      id: credentialId(row),
      api_key: text,
      permissions,
      name: row.label,
    }),
  })
}

/** Parses a limit; null without one. */
function parseLimit(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${JSON.stringify(text)} is not a whole number`)
  return Number(text)
}
