import type { Kysely } from 'kysely'
import type { Command } from '../command.ts'
import { formatDateTime } from '../time/date-time.ts'
import { reachTime, type UpkeepTables } from './upkeep-clock.ts'

/** A service whose upkeep deletes by age. */
type UpkeepPart = { service: string; db: Kysely<never> }

/** The command that lets deletions by age go on after the clock has passed over days. */
export function upkeepCommands(parts: readonly UpkeepPart[], now: () => number): Command[] {
  const confirm: Command = {
    usage: 'upkeep confirm',
    doc: 'Says that the clock of this machine is right. The next upkeep, within an hour, deletes what is too old.',
    async run() {
      const nowMs = now()
      for (const { db } of parts) await reachTime(db as unknown as Kysely<UpkeepTables>, nowMs)
      return { clock: formatDateTime(nowMs), services: parts.map(({ service }) => service) }
    },
  }
  return [confirm]
}
