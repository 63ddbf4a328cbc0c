import { type Command, requireArgument, UsageError } from '#platform/basics/command.ts'
import type { Keys } from '#platform/basics/secrets.ts'
import type { Database } from '#platform/database/database.ts'
import { createWebhookOutbox } from '#platform/webhooks/outbox.ts'
import { createEventsStore } from '../model/events-store.ts'
import type { TracksTables } from '../model/tables.ts'
import { createErasures, type ErasureSubject } from './erasures.ts'
import { createErasuresStore, erasurePreviewJson, erasureReceiptJson } from './store.ts'

type Options = Readonly<Record<string, string | undefined>>

/** Commands that erase the data of people. A running server delivers the messages to webhooks. */
export function eraseCommands(database: Database<TracksTables>, receiptKeys: Keys, now: () => number): Command[] {
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
