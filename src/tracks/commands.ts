import { type Command, parseDuration, requireArgument, UsageError } from '#platform/basics/command.ts'
import type { Keys, Secrets } from '#platform/basics/secrets.ts'
import { formatDateTime, momentOrNull } from '#platform/basics/time.ts'
import { credentialCommands } from '#platform/credentials/commands.ts'
import { credentialId } from '#platform/credentials/credentials-store.ts'
import { announceEndedTokens } from '#platform/credentials/token.ts'
import type { Database } from '#platform/database/database.ts'
import { createWebhookOutbox } from '#platform/webhooks/outbox.ts'
import { createAppTokensStore, createEventTokens, deriveTokenKeys, type EventTokens } from './api/event-tokens.ts'
import { createErasures, deriveReceiptKeys, type ErasureSubject } from './erasure/erasures.ts'
import { createErasuresStore, erasurePreviewJson, erasureReceiptJson } from './erasure/store.ts'
import { participantPermissionsProblem, userIdProblem } from './model/event-rules.ts'
import { createEventsStore, createOperatorEventsStore, deleteTracksOfEvent } from './model/events-store.ts'
import type { TracksTables } from './model/tables.ts'
import { storageStats } from './points/storage/inspection.ts'

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
      const { id, token } = await tokens.create(name)
      return { id, name, token: token.text }
    },
  }
  const list: Command = {
    usage: 'events list',
    doc: 'Lists all events, newest first.',
    isReadOnly: true,
    async run() {
      const listed = await createOperatorEventsStore(db, now).list('everything')
      return listed.map(({ event: { id, name, created_at }, counts }) => ({
        id,
        name,
        created_at: formatDateTime(created_at),
        tracks_count: counts.tracks,
      }))
    },
  }
  const token: Command = {
    usage: 'events token <id>',
    doc: "Prints an event's newest first token.",
    async run(args) {
      const { id, name, text } = await tokens.showFirst(requireArgument(args, 0, token))
      if (text === undefined) throw new UsageError(TOKEN_NOT_SHOWN)
      return { id, name, token: text }
    },
  }
  const rotate: Command = {
    usage: 'events rotate <id> [--keep 24h]',
    doc: 'Creates a new first token. The old first tokens end at once, or after the given time.',
    async run(args, { keep }) {
      const eventId = requireArgument(args, 0, rotate)
      const { id, name, text } = await tokens.rotate(eventId, keep === undefined ? 0 : parseDuration(keep))
      return { id, name, token: text }
    },
  }
  const remove: Command = {
    usage: 'events delete <id>',
    doc: 'Deletes an event with all its tracks for good.',
    async run(args) {
      const id = requireArgument(args, 0, remove)
      await events.end(id, now())
      await announceEndedTokens(notices, id)
      await deleteTracksOfEvent(db, id)
      return { id }
    },
  }
  return [create, list, token, rotate, remove, ...tokenCommands(tokens, now)]
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

/** Creates the admin commands for the tokens of an event. */
function tokenCommands(eventTokens: EventTokens, now: () => number): Command[] {
  return credentialCommands(eventTokens, {
    words: 'events tokens',
    names: { owner: 'event', anOwner: 'an event', noun: 'token', credential: 'token' },
    createDoc:
      'Creates a token, by default to record and read, for all tracks or those of one person, and prints it. `--keep never` gives it no end.',
    options: '[--user <user_id>]',
    async create(eventId, grant, { user, keep }) {
      if (user !== undefined) refuse(userIdProblem(user) ?? participantPermissionsProblem(grant.permissions))
      const expiresAtMs = keep === undefined ? undefined : endAfter(keep, now())
      const [token] = await eventTokens.add(eventId, [{ ...grant, userId: user ?? null, expiresAtMs }])
      return token
    },
    createdJson: ({ text, row }, permissions) => ({
      id: credentialId(row),
      token: text,
      permissions,
      user_id: row.user_id,
      name: row.label,
      expires_at: momentOrNull(row.expires_at),
    }),
  })
}

/** Returns the end of a token that lives for a length of time; null for `never`. */
function endAfter(keep: string, nowMs: number): number | null {
  return keep === 'never' ? null : nowMs + parseDuration(keep)
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new UsageError(problem)
}

type Options = Readonly<Record<string, string | undefined>>

/** Commands that erase the data of people. A running server delivers the messages to webhooks. */
function eraseCommands(database: Database<TracksTables>, receiptKeys: Keys, now: () => number): Command[] {
  const { db, notices } = database
  const store = createErasuresStore(db)
  const events = createEventsStore(db)
  const erasures = createErasures({ db, store, outbox: createWebhookOutbox(() => {}), notices, receiptKeys, now })

  async function requireSubject({ user, event }: Options): Promise<ErasureSubject> {
    if (user === undefined || user === '') throw new UsageError('Name the person with --user <user_id>')
    if (event !== undefined) await events.get(event)
    return { userId: user, eventId: event ?? null }
  }

  const verify: Command = {
    usage: 'erase verify <receipt> [--user <user_id>]',
    doc: 'Tells whether a receipt is that of a person.',
    async run(args, { user }) {
      const receipt = await store.find(requireArgument(args, 0, verify))
      if (receipt === undefined) throw new UsageError('There is no such receipt')
      if (user === undefined) throw new UsageError('Name the person with --user <user_id>')
      return { id: receipt.id, matches: erasures.isReceiptOf(receipt, user) ?? null }
    },
  }
  const preview: Command = {
    usage: 'erase --dry-run [--user <user_id>] [--event <event>]',
    doc: 'Counts what would be erased of a person, in one event or in all. Changes nothing.',
    run: async (_args, options) => erasurePreviewJson(await erasures.preview(await requireSubject(options))),
  }
  const erase: Command = {
    usage: 'erase [--user <user_id>] [--event <event>]',
    doc: 'Erases everything of a person, in one event or in all, and prints the receipt.',
    async run(_args, options) {
      const { id } = await erasures.begin(await requireSubject(options), null)
      const receipt = await erasures.carryOut(id)
      await database.maintain()
      return erasureReceiptJson(receipt)
    },
  }
  return [verify, preview, erase]
}
