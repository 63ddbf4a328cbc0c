import { type Command, parseDuration, requireArgument, UsageError } from '#platform/command.ts'
import type { Database } from '#platform/database/database.ts'
import type { Keys } from '#platform/security/secret.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import { parseWorkspaceName, workspaceNameProblem } from './domain/workspace-name.ts'
import { workspaceNotFound } from './errors.ts'
import { createApiKeysStore } from './storage/api-keys-store.ts'
import type { PublicationsTables } from './storage/tables.ts'
import { createWorkspacesStore } from './storage/workspaces-store.ts'
import { keyCommands } from './workspaces/key-commands.ts'
import { createWorkspaceKeys } from './workspaces/workspace-keys.ts'

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
      const shown = await keys.show(requireArgument(args, 0, key))
      if (shown.api_key === undefined)
        throw new UsageError(
          'The key cannot be shown: it has ended, or was created with another secret. Create a new one with workspaces rotate.',
        )
      return shown
    },
  }
  const rotate: Command = {
    usage: 'workspaces rotate <id> [--keep 24h]',
    doc: 'Creates a new first API key; the old first keys end at once, or after the given time.',
    async run(args, { keep }) {
      return await keys.rotate(requireArgument(args, 0, rotate), keep === undefined ? 0 : parseDuration(keep))
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
  return [create, list, key, rotate, remove, ...keyCommands({ workspaces, apiKeys, workspaceKeys: keys, notices, now })]
}

/** Parses a limit; null without one. */
function parseLimit(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${JSON.stringify(text)} is not a whole number`)
  return Number(text)
}
