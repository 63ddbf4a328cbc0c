import { type Command, parseDuration, requireArgument, UsageError } from '#platform/command.ts'
import type { Notices } from '#platform/database/notices.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import { parsePermissions, readPermissions } from '#platform/tokens/permission-list.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import { DEFAULT_PERMISSIONS, PERMISSIONS, type Permission } from '../domain/permission.ts'
import { participantPermissionsProblem, userIdProblem } from '../domain/token-rules.ts'
import { appTokenNotFound, eventNotFound } from '../errors.ts'
import { type AppTokensStore, tokenId } from '../storage/app-tokens-store.ts'
import type { EventsStore } from '../storage/events-store.ts'
import type { AppTokenRow } from '../storage/tables.ts'
import type { EventTokens } from './event-tokens.ts'

const MAX_NAME_LENGTH = 200

type Deps = {
  events: Pick<EventsStore, 'find'>
  appTokens: Pick<AppTokensStore, 'listValid' | 'end'>
  eventTokens: Pick<EventTokens, 'add'>
  notices: Notices | undefined
  now: () => number
}

/** Admin commands for the tokens of an event. */
export function tokenCommands(deps: Deps): Command[] {
  return [createCommand(deps), listCommand(deps), revokeCommand(deps)]
}

function createCommand({ eventTokens, now }: Deps): Command {
  const command: Command = {
    usage:
      'events tokens create <event> [--permissions record,read,manage] [--user <user_id>] [--name <text>] [--keep 7d]',
    doc: 'Creates a token, by default to record and read, for all tracks or those of one person, and prints it. `--keep never` gives it no end.',
    async run(args, { permissions: wanted, user, name, keep }) {
      const eventId = requireArgument(args, 0, command)
      const permissions = wanted === undefined ? DEFAULT_PERMISSIONS : permissionsIn(wanted)
      if (user !== undefined) refuse(userIdProblem(user) ?? participantPermissionsProblem(permissions))
      if (name !== undefined && [...name].length > MAX_NAME_LENGTH)
        throw new UsageError(`A token's name has at most ${MAX_NAME_LENGTH} characters`)
      const expiresAtMs = keep === undefined ? undefined : endAfter(keep, now())
      const userId = user ?? null
      const label = name ?? null
      const [{ token, grant }] = await eventTokens.add(eventId, [{ permissions, userId, label, expiresAtMs }])
      return {
        id: tokenId({ token_sha256: token.stored.sha256 }),
        token: token.text,
        permissions,
        user_id: userId,
        name: label,
        expires_at: formatted(grant.expiresAtMs),
      }
    },
  }
  return command
}

/** Returns the end of a token that lives for a length of time; null for `never`. */
function endAfter(keep: string, nowMs: number): number | null {
  return keep === 'never' ? null : nowMs + parseDuration(keep)
}

function listCommand({ events, appTokens, now }: Deps): Command {
  const command: Command = {
    usage: 'events tokens list <event>',
    doc: "Lists an event's valid tokens, newest first, without their texts.",
    isReadOnly: true,
    async run(args) {
      const eventId = requireArgument(args, 0, command)
      if ((await events.find(eventId)) === undefined) throw eventNotFound()
      return (await appTokens.listValid(eventId, now())).map(listed)
    },
  }
  return command
}

function revokeCommand({ appTokens, notices, now }: Deps): Command {
  const command: Command = {
    usage: 'events tokens revoke <event> <token id>',
    doc: 'Ends one token at once.',
    async run(args) {
      const eventId = requireArgument(args, 0, command)
      const id = requireArgument(args, 1, command)
      const row = (await appTokens.listValid(eventId, now())).find((token) => tokenId(token) === id)
      if (row === undefined || !(await appTokens.end(eventId, row.token_sha256))) throw appTokenNotFound()
      await announceEndedTokens(notices, eventId)
      return { id }
    },
  }
  return command
}

function listed(row: AppTokenRow) {
  return {
    id: tokenId(row),
    permissions: parsePermissions(row.permissions, PERMISSIONS),
    user_id: row.user_id,
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

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new UsageError(problem)
}

function formatted(timeMs: number | null): string | null {
  return timeMs === null ? null : formatDateTime(timeMs)
}
