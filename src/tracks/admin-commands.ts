import { type Command, parseDuration, requireArgument, UsageError } from '#platform/command.ts'
import type { Database } from '#platform/database/database.ts'
import type { Keys, Secrets } from '#platform/security/secret.ts'
import { formatDateTime } from '#platform/time/date-time.ts'
import { announceEndedTokens } from '#platform/tokens/token-lookup.ts'
import { eraseCommands } from './erasure/erase-commands.ts'
import { deriveReceiptKeys } from './erasure/erasures.ts'
import { eventNotFound } from './errors.ts'
import { createEventTokens, deriveTokenKeys, type EventWithToken } from './events/event-tokens.ts'
import { tokenCommands } from './events/token-commands.ts'
import { createAppTokensStore } from './storage/app-tokens-store.ts'
import { deleteTracksOfEvent } from './storage/delete-event-tracks.ts'
import { createEventsStore } from './storage/events-store.ts'
import { storageStats } from './storage/inspect-chunks.ts'
import type { TracksTables } from './storage/tables.ts'

const MAX_NAME_LENGTH = 200

const TOKEN_NOT_SHOWN =
  'The token cannot be shown: it has ended or was created with another secret. Create a new one with events rotate.'

/** Admin commands for events, their app tokens, and the data of people. */
export function tracksCommands(database: Database<TracksTables>, secrets: Secrets, now: () => number): Command[] {
  return [
    ...eventCommands(database, deriveTokenKeys(secrets), now),
    ...eraseCommands(database, deriveReceiptKeys(secrets), now),
  ]
}

function eventCommands(database: Database<TracksTables>, tokenKeys: Keys, now: () => number): Command[] {
  const { db, notices } = database
  const events = createEventsStore(db)
  const appTokens = createAppTokensStore(db)
  const tokens = createEventTokens({ events, appTokens, notices, tokenKeys, now })

  const create: Command = {
    usage: 'events create <name>',
    doc: 'Creates an event and prints its app token.',
    async run(args) {
      const name = requireArgument(args, 0, create)
      if (name.length > MAX_NAME_LENGTH)
        throw new UsageError(`An event's name has at most ${MAX_NAME_LENGTH} characters`)
      return withText(await tokens.create(name))
    },
  }
  const list: Command = {
    usage: 'events list',
    doc: 'Lists all events, newest first.',
    isReadOnly: true,
    async run() {
      return (await events.list()).map(({ id, name, created_at, tracks_count }) => ({
        id,
        name,
        created_at: formatDateTime(created_at),
        tracks_count,
      }))
    },
  }
  const token: Command = {
    usage: 'events token <id>',
    doc: "Prints an event's newest first token.",
    async run(args) {
      const shown = await tokens.show(requireArgument(args, 0, token))
      if (shown.token === undefined) throw new UsageError(TOKEN_NOT_SHOWN)
      return shown
    },
  }
  const rotate: Command = {
    usage: 'events rotate <id> [--keep 24h]',
    doc: 'Creates a new first token. The old first tokens end at once, or after the given time.',
    async run(args, { keep }) {
      return withText(
        await tokens.rotate(requireArgument(args, 0, rotate), keep === undefined ? 0 : parseDuration(keep)),
      )
    },
  }
  const remove: Command = {
    usage: 'events delete <id>',
    doc: 'Deletes an event with all its tracks for good.',
    async run(args) {
      const id = requireArgument(args, 0, remove)
      if (!(await events.end(id, now()))) throw eventNotFound()
      await announceEndedTokens(notices, id)
      await deleteTracksOfEvent(db, id)
      return { id }
    },
  }
  const further = tokenCommands({ events, appTokens, eventTokens: tokens, notices, now })
  return [create, list, token, rotate, remove, ...further]
}

/** Admin commands for the stored points. */
export function storedPointsCommands(database: Database<TracksTables>): Command[] {
  const { db } = database
  const stats: Command = {
    usage: 'storage stats',
    doc: 'Counts tracks, points and chunks, with bytes per point.',
    isReadOnly: true,
    run: async () => await storageStats(db, await database.sizeBytes()),
  }
  return [stats]
}

function withText({ id, name, token }: EventWithToken) {
  return { id, name, token: token.text }
}
