import type { Kysely } from 'kysely'
import { addIdempotencySubjects } from '#platform/database/idempotency.ts'

/** The responses to creations are forgotten with what was created. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addIdempotencySubjects(db)
}
